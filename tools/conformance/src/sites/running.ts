/** Starts a server in the directory of a test site, where it finds the Caddyfile. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { callAdmin } from '../servers/call-admin.ts';

/** A running server. */
export interface Running {
  stop(): Promise<void>;
}

export interface Start {
  readonly command: readonly string[];
  readonly options: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly adminPort: number;
}

/** Runs the command without a configuration argument. Waits until the server has loaded the Caddyfile from its working directory. */
export async function startIn({ command, options, folder, environment, adminPort }: Start): Promise<Running> {
  const [program = '', ...args] = command;
  const child = spawn(program, [...args, 'run', ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4000)));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  for (const end = performance.now() + 60_000; ; await sleep(20)) {
    const response = await callAdmin(adminPort, { method: 'GET', path: '/config/apps', body: '' }).catch(() => null);
    if (response?.status === 200 && response.body.toString().startsWith('{')) return { stop };
    if (child.exitCode === null && performance.now() < end) continue;
    await stop();
    throw new Error(`${program} did not start: ${said}`);
  }
}
