/**
 * Soak test of a TCP access log. Several workers write the log to a peer that is killed and restarted. Lines may be lost only if the buffer
 * is full.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withAccessLog } from '../configs.ts';
import { startNative } from '../servers.ts';
import { LogPeerProcess } from './log-peer-process.ts';
import { countLines, sendNumbered, type LineCount } from './numbered-requests.ts';

export interface LogNetPlan {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly workers: number;
  /** Number of times the peer is killed. */
  readonly kills: number;
  /** Downtime of the peer after each kill, in milliseconds. */
  readonly away: number;
}

/**
 * Parameters of the full-size test. A log line has about 430 bytes, so the lines written before the peer reconnects fit in the 8 MiB
 * buffer.
 */
export const fullLogNetPlan: LogNetPlan = {
  requests: 200_000,
  requestsPerSecond: 4000,
  workers: 4,
  kills: 8,
  away: 500,
};

export async function soakLogNet(
  name: string,
  command: readonly string[],
  { requests, requestsPerSecond, workers, kills, away }: LogNetPlan,
): Promise<LineCount> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-soak-logs-'));
  const file = join(folder, 'received');
  const peer = await new LogPeerProcess(file).start();
  const options = name === 'sluice' ? ['--workers', `${workers}`] : [];
  const writer = { output: 'net', address: `127.0.0.1:${peer.port}` };
  const server = await startNative(name, command, withAccessLog(writer), options);
  const restart = async (): Promise<void> => {
    await peer.kill();
    await sleep(away);
    await peer.start();
  };
  try {
    const failed = await sendNumbered({
      port: server.port,
      requests,
      connections: 32,
      rate: requestsPerSecond,
      between: Array.from({ length: kills }, () => restart),
    });
    await untilQuiet(file);
    await server.stop();
    await untilQuiet(file);
    return countLines(readFileSync(file, 'utf8').split('\n').filter(Boolean), requests, failed);
  } finally {
    await server.stop();
    await peer.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits until the file stops growing. The writer takes at most a few seconds to reconnect. */
async function untilQuiet(file: string): Promise<void> {
  let before = -1;
  for (let still = 0; still < 10; await sleep(250)) {
    const { length } = readFileSync(file);
    still = length === before ? still + 1 : 0;
    before = length;
  }
}
