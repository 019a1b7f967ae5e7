/** Whose turn it is, counted over all threads. */
import { proxyIdentity } from '@sluice/http-app';
import { sharedCellsToken } from '@sluice/threads';
import type { Context } from '@sluice/registry';

/** Gives 1, 2, 3 … and begins again after 2³² calls. */
export type Turn = () => number;

/** The turns of a module of a proxy. Without shared memory the thread counts for itself. */
export function sharedTurn(context: Context): Turn {
  const cells = context.find(sharedCellsToken);
  const identity = context.find(proxyIdentity);
  if (cells === undefined || identity === undefined) {
    let count = 0;
    return () => (count = (count + 1) >>> 0);
  }
  const cell = cells.acquire(`turn ${context.where()} ${identity}`);
  context.onDispose(() => cell.release());
  return () => cell.add(0, 1) >>> 0;
}
