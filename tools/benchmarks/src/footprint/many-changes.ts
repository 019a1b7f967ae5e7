/**
 * Measures memory during many changes to many routes. Memory must not grow with the number of changes, and must not depend on full garbage
 * collections.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { hosts, withRoutes } from '../configs.ts';
import { proportionalMemory } from '../processes.ts';
import { change } from '../changes.ts';
import { startNative } from '../servers.ts';
import { withWorkers, type Participant } from './participants.ts';
import { idleTime } from './start.ts';

export interface ChangePlan {
  readonly count: number;
  readonly routes: number;
  /** Number of concurrent writers. */
  readonly writers: number;
  readonly workers: number;
}

/** Results of the measurement. Memory is in MB. */
export interface ManyChanges {
  readonly before: number;
  /** Memory samples, one after each tenth of the changes. */
  readonly samples: readonly number[];
  /** Maximum of all memory samples. One sample is taken every hundred changes. */
  readonly most: number;
  /** CPU time per change, in microseconds. */
  readonly processor: number;
  readonly perSecond: number;
}

/** Changes the bodies of the routes, one after another, and measures memory. */
export async function measureManyChanges(participant: Participant, plan: ChangePlan): Promise<ManyChanges> {
  const { count, routes, writers, workers } = plan;
  const options = withWorkers(participant, workers);
  const server = await startNative(participant.name, participant.command, withRoutes(hosts(routes)), options);
  try {
    await sleep(idleTime);
    const before = proportionalMemory(server.pid);
    const [processorBefore, began] = [server.processorTime(), performance.now()];
    const samples: number[] = [];
    let peak = before;
    let done = 0;
    const look = (): void => {
      if (++done % 100 !== 0) return;
      const memory = proportionalMemory(server.pid);
      peak = Math.max(peak, memory);
      if (Math.floor((done * 10) / count) > samples.length) samples.push(memory);
    };
    const write = async (first: number): Promise<void> => {
      for (let i = first; i < count; i += writers) {
        const path = `/config/apps/http/servers/s/routes/${(i * 7) % routes}/handle/0/body`;
        const status = await change(server.admin, path, `body ${i}`);
        if (status !== 200) throw new Error(`${participant.name}: a change returned ${status}`);
        look();
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, i) => write(i)));
    return {
      before,
      samples,
      most: peak,
      processor: (server.processorTime() - processorBefore) / count,
      perSecond: (count * 1000) / (performance.now() - began),
    };
  } finally {
    await server.stop();
  }
}
