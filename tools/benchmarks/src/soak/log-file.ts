/**
 * Soak test of an access log that several workers write to one file. The file is rolled after every MiB. Meanwhile, the configuration
 * changes and a client moves the file. Every request must have exactly one line.
 */
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { withAccessLog } from '../configs.ts';
import { adminCall } from '../admin-call.ts';
import { startNative } from '../servers.ts';
import { countLines, sendNumbered, type LineCount } from './numbered-requests.ts';

export interface LogFilePlan {
  readonly requests: number;
  /** Number of Sluice's workers. Other servers use their default number. */
  readonly workers: number;
}

/** Parameters of the full access log test. */
export const fullLogFilePlan: LogFilePlan = { requests: 200_000, workers: 4 };

export interface LogFileSoak extends LineCount {
  /** Number of log files: the current file, the rolled files and the moved files. */
  readonly files: number;
  /** Number of changes with status 200. */
  readonly changes: number;
}

export async function soakLogFile(
  name: string,
  command: readonly string[],
  { requests, workers }: LogFilePlan,
): Promise<LogFileSoak> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-logs-'));
  const file = join(folder, 'access.log');
  const options = name === 'sluice' ? ['--workers', `${workers}`] : [];
  const server = await startNative(name, command, withAccessLog({ output: 'file', ...rolled(file) }), options);
  let changes = 0;
  const change = async (path: string, value: unknown): Promise<void> => {
    if ((await adminCall(server.admin, 'POST', `/config/${path}`, value)) === 200) changes++;
  };
  try {
    const failed = await sendNumbered({
      port: server.port,
      requests,
      connections: 32,
      between: [
        () => change('logging/logs/access/level', 'DEBUG'),
        async () => renameSync(file, join(folder, 'moved')),
        () => change('logging/logs/access/encoder', { format: 'json', time_format: 'unix_milli_float' }),
        () => change('logging/logs/access/writer/roll_keep', 2000),
      ],
    });
    await sleep(100);
    await server.stop();
    const names = readdirSync(folder);
    return { ...countLines(linesOf(folder, names), requests, failed), files: names.length, changes };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rolled(filename: string): object {
  return { filename, roll_size_mb: 1, roll_keep: 1000 };
}

function* linesOf(folder: string, names: readonly string[]): Generator<string> {
  for (const name of names) {
    const bytes = readFileSync(join(folder, name));
    yield* (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().split('\n').filter(Boolean);
  }
}
