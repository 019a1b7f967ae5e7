/** What an access log costs: a server that writes each request to a file beside one that does not, in turns. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plain, withRoutes } from './configs.ts';
import { load } from './load.ts';
import { median } from './machine.ts';
import { nativeServers, startNative, type Running } from './servers.ts';

/** The figures of one server. */
export interface LogResult {
  readonly server: string;
  /** Requests per second, one figure per round. */
  readonly silent: readonly number[];
  readonly logged: readonly number[];
  /** Share of the throughput that is left, the middle of all rounds. */
  readonly left: number;
}

/** Measures every server that takes the native JSON. Files are not rolled: compressing them is not what this is about. */
export async function measureLogs(rounds: number, seconds: number): Promise<LogResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-logs-'));
  const results: LogResult[] = [];
  try {
    for (const { name, command } of nativeServers()) {
      const silent = await startNative(name, command, withRoutes(plain));
      const logged = await startNative(name, command, withLog(join(folder, `${name}.log`)));
      try {
        results.push(await compare(name, silent, logged, rounds, seconds));
      } finally {
        await Promise.all([silent.stop(), logged.stop()]);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

async function compare(
  server: string,
  silent: Running,
  logged: Running,
  rounds: number,
  seconds: number,
): Promise<LogResult> {
  const ask = async ({ port }: Running, time: number): Promise<number> => {
    const { requestsPerSecond, errors } = await load(`http://127.0.0.1:${port}/`, { seconds: time });
    if (errors > 0) throw new Error(`${server} gave ${errors} errors`);
    return requestsPerSecond;
  };
  const figures = { silent: [] as number[], logged: [] as number[] };
  for (const running of [silent, logged]) await ask(running, 2);
  for (let round = 0; round < rounds; round++) {
    figures.silent.push(await ask(silent, seconds));
    figures.logged.push(await ask(logged, seconds));
  }
  const ratios = figures.logged.map((figure, i) => figure / (figures.silent[i] ?? Number.NaN));
  return { server, ...figures, left: median(ratios) };
}

/** The plain response with its access log in a file, and out of the default log. */
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
