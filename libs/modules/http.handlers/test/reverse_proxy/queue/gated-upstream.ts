/** An upstream that responds only after the test opens its gate. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { httpUpstream, type Closing } from '../support.ts';

export interface GatedUpstream extends Closing {
  readonly dial: string;
  readonly arrived: string[];
  /** Responds to the oldest request. */
  next(): void;
  /** Waits until the given number of requests has arrived. */
  has(count: number): Promise<void>;
}

export async function gatedUpstream(name = 'served'): Promise<GatedUpstream> {
  const open: ServerResponse[] = [];
  const arrived: string[] = [];
  const { dial, close } = await httpUpstream((request, response) => {
    arrived.push(request.url ?? '');
    open.push(response);
  });
  return {
    dial,
    arrived,
    next: () => void open.shift()?.end(name),
    has: async (count) => {
      const end = performance.now() + 5000;
      while (arrived.length < count && performance.now() < end) await sleep(1);
      expect(arrived).to.have.length(count);
    },
    close,
  };
}
