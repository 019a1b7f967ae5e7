/** Runs the commands in the README of the fleet example, using other ports. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../../../../', import.meta.url));

export interface RunningExample {
  /** First port that the example uses. Other processes use the ports that follow. */
  readonly base: number;
  /** ID of the process that started all other processes. */
  readonly pid: number;
}

export interface Said {
  readonly code: number | null;
  readonly output: string;
}

/** Returns all commands in the README, one per line. */
export async function walkOf(readme: string): Promise<readonly string[]> {
  const text = await readFile(`${workspace}${readme}`, 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, ''))
      .filter((line) => line !== ''),
  );
}

/** Runs a command in a shell in the workspace directory. */
export async function runCommand(command: string, { base, pid }: RunningExample): Promise<Said> {
  const own = command
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${base}`)
    .replaceAll(/127\.0\.0\.1:238([1-3])/g, (_, member: string) => `127.0.0.1:${base + 3 + Number(member)}`)
    // Restricts the process search to this example, because other examples may be running.
    .replaceAll('pgrep -f', `pgrep -P ${pid} -f`)
    .replace(/^node /, `"${process.execPath}" `);
  const child = spawn('sh', ['-c', own], { cwd: workspace, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
