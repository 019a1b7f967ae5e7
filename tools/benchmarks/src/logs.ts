/** What an access log costs: a server that writes each request to a file beside one that does not, in turns. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plain, withRoutes } from './configs.ts';
import { load } from './load.ts';
import { nativeServers, startNative, type Running } from './servers.ts';

/** The figures of one server. */
export interface LogResult {
  readonly server: string;
  /** Requests per second, one figure per second. */
  readonly silent: readonly number[];
  readonly logged: readonly number[];
  /** Share of the throughput that is left, one figure per second. */
  readonly left: readonly number[];
}

/**
 * Measures every server that takes the native JSON, started anew for each round: some processes are slower than others of
 * the same server for all their life. Files are not rolled: compressing them is not what this is about.
 */
export async function measureLogs(rounds: number, seconds: number): Promise<LogResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-logs-'));
  const results: LogResult[] = [];
  try {
    for (const { name, command } of nativeServers()) {
      const silent: number[] = [];
      const logged: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const file = join(folder, `${name}.log`);
        const [without, within] = await Promise.all([
          startNative(name, command, withRoutes(plain)),
          startNative(name, command, withLog(file)),
        ]);
        try {
          await ask(without, 2);
          await ask(within, 2);
          // A second each: the machine changes its pace within a few.
          for (let second = 0; second < seconds; second++) {
            silent.push(await ask(without, 1));
            logged.push(await ask(within, 1));
          }
        } finally {
          await Promise.all([without.stop(), within.stop()]);
        }
        rmSync(file);
      }
      results.push({ server: name, silent, logged, left: logged.map((figure, i) => figure / (silent[i] as number)) });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

async function ask({ name, port }: Running, seconds: number): Promise<number> {
  const { requestsPerSecond, errors } = await load(`http://127.0.0.1:${port}/`, { seconds });
  if (errors > 0) throw new Error(`${name} gave ${errors} errors`);
  return requestsPerSecond;
}

function withLog(filename: string): (port: number) => unknown {
  return (port) => {
    const config = withRoutes(plain)(port) as { apps: { http: { servers: { s: object } } } };
    Object.assign(config.apps.http.servers.s, { logs: {} });
    return {
      ...config,
      logging: {
        logs: {
          default: { exclude: ['http.log.access'] },
          access: { writer: { output: 'file', filename, roll: false }, include: ['http.log.access'] },
        },
      },
    };
  };
}
