/**
 * Measures the cost of an access log. Measurements alternate between a server that logs each request to a file and a server that doesn't
 * log.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plain, withAccessLog, withRoutes } from './configs.ts';
import { load } from './load.ts';
import { nativeServers, startNative, type Running } from './servers.ts';

/** Access log measurements of one server. */
export interface LogResult {
  readonly server: string;
  /** Requests per second without an access log, one value per second of measurement. */
  readonly silent: readonly number[];
  readonly logged: readonly number[];
  /** Fraction of the throughput that remains with an access log, one value per second of measurement. */
  readonly left: readonly number[];
}

/**
 * Measures every server that supports native JSON. Servers are restarted in each round, because some processes are slower than others for
 * their whole lifetime. Log files are not rolled, so compression is not measured.
 */
export async function measureLogs(rounds: number, seconds: number): Promise<LogResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-logs-'));
  const results: LogResult[] = [];
  try {
    for (const { name, command } of nativeServers()) {
      const silent: number[] = [];
      const logged: number[] = [];
      for (let round = 0; round < rounds; round++)
        for (const second of await measureRound(name, command, join(folder, `${name}.log`), seconds)) {
          silent.push(second.silent);
          logged.push(second.logged);
        }
      results.push({
        server: name,
        silent,
        logged,
        left: logged.map((measurement, i) => measurement / (silent[i] as number)),
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

/** Alternates between the servers every second, because the machine's speed drifts within a few seconds. */
async function measureRound(
  name: string,
  command: readonly string[],
  filename: string,
  seconds: number,
): Promise<{ silent: number; logged: number }[]> {
  const [without, within] = await Promise.all([
    startNative(name, command, withRoutes(plain)),
    startNative(name, command, withAccessLog({ output: 'file', filename, roll: false })),
  ]);
  try {
    await ask(without, 2);
    await ask(within, 2);
    const measurements: { silent: number; logged: number }[] = [];
    while (measurements.length < seconds)
      measurements.push({ silent: await ask(without, 1), logged: await ask(within, 1) });
    return measurements;
  } finally {
    await Promise.all([without.stop(), within.stop()]);
    rmSync(filename);
  }
}

async function ask({ name, port }: Running, seconds: number): Promise<number> {
  const { requestsPerSecond, errors } = await load(`http://127.0.0.1:${port}/`, { seconds });
  if (errors > 0) throw new Error(`${name} returned ${errors} errors`);
  return requestsPerSecond;
}
