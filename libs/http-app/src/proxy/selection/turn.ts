/** Whose turn it is, counted over all threads. */
import { proxyIdentity, type Upstream } from '../upstream.ts';
import { sharedCellsToken } from '@sluice/threads';
import type { Context } from '@sluice/registry';

/** The state that turns depend on, as rehearsals name it. */
export const earlierRequests = 'earlier requests';

/** Gives 1, 2, 3 … and begins again after 2³² calls. */
export interface Turn {
  next(): number;
  /** The same turns, which this one's calls do not take from others: for one choice that is rehearsed. */
  peek(): Turn;
}

/** The turns of a module of a proxy. Without shared memory the thread counts for itself. */
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

/** A number that counts. */
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

/** The next upstream that is available, beginning with the one whose turn it is; `null` if none is. */
export function selectInTurn<U extends Upstream>(upstreams: readonly U[], turn: Turn): U | null {
  for (let i = 0; i < upstreams.length; i++) {
    const upstream = upstreams[turn.next() % upstreams.length] as U;
    if (upstream.available) return upstream;
  }
  return null;
}
