/** Measures the CPU time for adapting large Caddyfiles. Runs of the servers alternate. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nativeServers } from './servers.ts';

/** A large Caddyfile. */
export interface LargeFile {
  readonly name: string;
  readonly text: string;
}

/** Returns large Caddyfiles, each with `count` sites or routes. */
export function largeFiles(count: number): LargeFile[] {
  const sites = (block: (number: number) => string): string =>
    Array.from({ length: count }, (_, number) => `site${number}.example.com {\n${block(number)}}\n`).join('\n');
  const routes = (route: (number: number) => string): string =>
    `example.com {\n${Array.from({ length: count }, (_, number) => route(number)).join('')}}\n`;
  const snippet = '(common) {\n\tencode gzip\n\theader X-Site {args[0]}\n\tlog_append site {args[0]}\n}\n\n';
  return [
    { name: 'sites', text: sites((number) => `\troot /srv/${number}\n\tfile_server\n`) },
    {
      name: 'sites with TLS settings',
      text: sites((number) => `\ttls me${number % 7}@example.com {\n\t\tkey_type p${number % 2 ? 256 : 384}\n\t}\n`),
    },
    {
      name: 'sites with an issuer each',
      text: sites((number) => `\ttls {\n\t\tissuer acme {\n\t\t\tdir https://ca${number}.example/\n\t\t}\n\t}\n`),
    },
    { name: 'sites that import a snippet', text: snippet + sites((number) => `\timport common ${number}\n`) },
    { name: 'sites with a log each', text: sites((number) => `\tlog {\n\t\toutput file /var/log/${number}\n\t}\n`) },
    { name: 'routes in a site', text: routes((number) => `\trespond /r${number} ${number}\n`) },
    {
      name: 'routes with named matchers in a site',
      text: routes(
        (number) => `\t@m${number} path /a${number} /b${number}\n\thandle @m${number} {\n\t\trespond hi\n\t}\n`,
      ),
    },
  ];
}

/** Measures the CPU time per run of each server, in seconds. Skips Caddy if its version does not support the file. */
export function measureAdapting({ text }: LargeFile, rounds: number): Map<string, number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, text);
  const times = new Map<string, number[]>();
  try {
    for (let round = 0; round < rounds; round++) {
      for (const { name, command } of nativeServers()) {
        const whole = [...command, 'adapt', '--adapter', 'caddyfile', '--config', file];
        const seconds = processorTime(whole);
        if (seconds !== null) times.set(name, [...(times.get(name) ?? []), seconds]);
        else if (name === 'sluice') throw new Error(`${whole.join(' ')} failed`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return times;
}

/** Uses the shell's `times` to measure the CPU time of a command. Returns `null` if the command fails. */
function processorTime(command: readonly string[]): number | null {
  const run = spawnSync('sh', ['-c', '"$@" >/dev/null 2>&1 || exit; times', 'sh', ...command], { encoding: 'utf8' });
  if (run.status !== 0) return null;
  const [user = '', system = ''] = run.stdout.trim().split('\n').at(-1)?.split(' ') ?? [];
  return secondsOf(user) + secondsOf(system);
}

/** Parses a duration such as `1m2.5s`. Returns seconds. */
function secondsOf(text: string): number {
  const [minutes = '', seconds = ''] = text.split('m');
  return Number(minutes) * 60 + Number.parseFloat(seconds);
}
