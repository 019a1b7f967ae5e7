/** Round-robin counter of a proxy, shared by all threads. */
import { proxyIdentity, type Upstream } from '../upstream.ts';
import { sharedCellsToken } from '@sluice/threads';
import type { Context } from '@sluice/registry';

/** Display name, in dry runs, for the state that round-robin selection depends on. */
export const earlierRequests = 'earlier requests';

/** A counter that returns 1, 2, 3, … and wraps around after 2³² calls. */
export interface Turn {
  next(): number;
  /** Returns a copy for dry runs. Calling the copy doesn't advance the original counter. */
  peek(): Turn;
}

/** Returns a proxy's round-robin counter. If shared memory is unavailable, each thread has a separate counter. */
export function sharedTurn(context: Context): Turn {
  const cells = context.find(sharedCellsToken);
  const identity = context.find(proxyIdentity);
  if (cells === undefined || identity === undefined) {
    let count = 0;
    return turnOf({ add: (delta) => (count = (count + delta) >>> 0), get: () => count });
  }
  const cell = cells.acquire(`turn ${context.where()} ${identity}`);
  context.onDispose(() => cell.release());
  return turnOf({ add: (delta) => cell.add(0, delta) >>> 0, get: () => cell.get(0) >>> 0 });
}

interface Count {
  add(delta: number): number;
  get(): number;
}

function turnOf(count: Count): Turn {
  return {
    next: () => count.add(1),
    peek: () => {
      let ahead = 0;
      const peeked: Turn = { next: () => (count.get() + ++ahead) >>> 0, peek: () => peeked };
      return peeked;
    },
  };
}

/** Returns the next available upstream in round-robin order, or `null`. */
export function selectInTurn<U extends Upstream>(upstreams: readonly U[], turn: Turn): U | null {
  for (let i = 0; i < upstreams.length; i++) {
    const upstream = upstreams[turn.next() % upstreams.length] as U;
    if (upstream.available) return upstream;
  }
  return null;
}
