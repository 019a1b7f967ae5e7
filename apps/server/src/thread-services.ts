/** What modules reach with `context.use` in every thread. */
import { listenersToken, reusePortToken, type Listener } from '@sluice/http-app';
import {
  collectProcess,
  collectThread,
  logRouterToken,
  type LogRouter,
  Metrics,
  metricsToken,
  ResourcePool,
  sharedCellsToken,
  shareMetrics,
  threadBusToken,
  type SharedCells,
  type ThreadBus,
  type Token,
} from '@sluice/registry';

/** What differs between threads. */
export interface ThreadServices {
  readonly bus: ThreadBus;
  readonly cells: SharedCells;
  readonly router: LogRouter;
  /** Whether sockets of this thread share their ports with those of other threads. */
  readonly reusePort: boolean;
}

/** The services of a thread by token. */
export function threadServices({
  bus,
  cells,
  router,
  reusePort,
}: ThreadServices): ReadonlyMap<Token<unknown>, unknown> {
  const metrics = new Metrics();
  collectThread(metrics, bus.thread);
  if (bus.thread === 0) collectProcess(metrics);
  shareMetrics(metrics, bus);
  return new Map<Token<unknown>, unknown>([
    [threadBusToken, bus],
    [sharedCellsToken, cells],
    [metricsToken, metrics],
    [logRouterToken, router],
    [listenersToken, new ResourcePool<Listener>()],
    [reusePortToken, reusePort],
  ]);
}
