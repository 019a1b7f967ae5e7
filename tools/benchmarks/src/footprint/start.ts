/** Measures the time to first response, and the memory at that time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hosts, plain, withRoutes } from '../configs.ts';
import { proportionalMemory } from '../processes.ts';
import { startNative } from '../servers.ts';
import { withWorkers, type Participant } from './participants.ts';

/** Measurements of a server's startup. */
export interface Start {
  /** Wall time. */
  readonly seconds: number;
  /** CPU time of all threads until the first response, in seconds. */
  readonly processor: number;
  /** Memory when idle, in MB. */
  readonly memory: number;
}

/** Time to idle before memory is measured, in milliseconds. */
export const idleTime = 2500;

/** Starts a server and measures the startup. The server has one route per host, or a single route for all hosts. */
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
