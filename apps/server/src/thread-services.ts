/** Services that every thread provides to modules, through `context.use`. */
import { QuicLogRecorder, ThreadSampler, TraceRecorder } from '@sluice/http-observability';
import {
  datagramRoutesToken,
  listenersToken,
  quicListenersToken,
  quicLogsToken,
  listenSocketsToken,
  RequestStats,
  requestSamplerToken,
  requestStatsToken,
  serverWatchToken,
  reusePortToken,
  upstreamEvents,
  upstreamHealthEvents,
  type DatagramRoutes,
  type Listener,
  type QuicListener,
  type UpstreamHealthEvent,
} from '@sluice/http-app';
import {
  collectProcess,
  collectThread,
  EventHub,
  eventHubToken,
  logRouterToken,
  type LogRouter,
  Metrics,
  metricsToken,
  shareDebug,
  shareMetrics,
} from '@sluice/telemetry';
import type { ListenSockets, Logger } from '@sluice/base';
import { ResourcePool, type Token } from '@sluice/registry';
import {
  openTally,
  sharedCellsToken,
  SharedMemory,
  sharedMemoryToken,
  threadBusToken,
  threadTallyToken,
  type SharedCells,
  type ThreadBus,
} from '@sluice/threads';
import { nativeCheckService } from './process/native-check.ts';
import { shareSockets } from './process/shared-sockets.ts';

/** Thread services whose values differ between threads. */
export interface ThreadServices {
  readonly bus: ThreadBus;
  readonly cells: SharedCells;
  /** Shared memory for the thread's request counters. `null` in a thread that serves no traffic. */
  readonly tally: readonly SharedArrayBuffer[] | null;
  readonly router: LogRouter;
  readonly log: Logger;
  /** True if the listening sockets of this thread share their ports with other threads. */
  readonly reusePort: boolean;
  readonly sockets: ListenSockets;
  readonly routes: DatagramRoutes;
}

export function threadServices({
  bus,
  cells,
  tally,
  router,
  log,
  reusePort,
  sockets,
  routes,
}: ThreadServices): ReadonlyMap<Token<unknown>, unknown> {
  const metrics = new Metrics();
  collectThread(metrics, bus.thread);
  if (bus.thread === 0) collectProcess(metrics);
  shareMetrics(metrics, bus);
  shareDebug(bus);
  const listeners = new ResourcePool<Listener>();
  const quicListeners = new ResourcePool<QuicListener>();
  shareSockets(bus, sockets, { listeners, quicListeners });
  const events = new EventHub(bus, log.named('events'));
  const counted = tally === null ? null : openTally(tally, bus);
  return new Map<Token<unknown>, unknown>([
    [threadBusToken, bus],
    [sharedCellsToken, cells],
    [sharedMemoryToken, new SharedMemory(bus)],
    [metricsToken, metrics],
    [eventHubToken, events],
    [
      upstreamEvents,
      ({ name, host }: UpstreamHealthEvent) => void events.emitDeclared(upstreamHealthEvents[name], { host }),
    ],
    [logRouterToken, router],
    [listenersToken, listeners],
    [quicListenersToken, quicListeners],
    [datagramRoutesToken, routes],
    nativeCheckService(bus),
    [listenSocketsToken, sockets],
    [reusePortToken, reusePort],
    ...(counted === null
      ? []
      : ([
          [threadTallyToken, counted],
          [requestStatsToken, new RequestStats(counted)],
          [requestSamplerToken, new ThreadSampler(bus)],
          [serverWatchToken, new TraceRecorder(bus)],
          [quicLogsToken, new QuicLogRecorder(bus)],
        ] as const)),
  ]);
}
