/** Until the first response, and what is in memory then. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hosts, plain, withRoutes } from '../configs.ts';
import { proportionalMemory } from '../processes.ts';
import { startNative } from '../servers.ts';
import { withWorkers, type Participant } from './participants.ts';

/** What a start took. */
export interface Start {
  /** By the clock. */
  readonly seconds: number;
  /** Of the processor, by all threads. */
  readonly processor: number;
  /** MB, when it has been idle for a while. */
  readonly memory: number;
}

/** How long a server is left alone before its memory is looked at, in milliseconds. */
export const idleTime = 2500;

/** Starts a server with routes, one for each host, or with one that responds to all. */
export async function measureStart(
  participant: Participant,
  { routes, workers }: { routes: number; workers: number },
): Promise<Start> {
  const config = withRoutes(routes > 1 ? hosts(routes) : plain);
  const options = withWorkers(participant, workers);
  const server = await startNative(participant.name, participant.command, config, options);
  try {
    const processor = server.processorTime() / 1e6;
    await sleep(idleTime);
    return { seconds: server.startMs / 1000, processor, memory: proportionalMemory(server.pid) };
  } finally {
    await server.stop();
  }
}
