/** Traffic thread: applies the control thread's configuration and serves requests. worker-reserve.ts starts it through `worker.ts`. */
import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { Channel, follow, SharedCells, WorkerBus } from '@sluice/threads';
import { createLogger, ListenSockets } from '@sluice/base';
import { logOutputsToken } from '@sluice/contracts';
import { LogRouter, metricsToken, recordFaults, RemoteOutputs, type Metrics } from '@sluice/telemetry';
import { Registry } from '@sluice/registry';
import { Runtime } from '@sluice/reconciler';
import { BusSink } from '../logging/bus-sink.ts';
import { registerModules } from '../modules/register-modules.ts';
import { registerStandard } from '../register-standard.ts';
import { catchEscapes } from '../process/last-net.ts';
import { stopTraffic } from '../stop-traffic.ts';
import { threadServices } from '../thread-services.ts';
import { portOf } from './port.ts';
import type { FirstMessage } from './worker-data.ts';

if (parentPort === null) throw new Error('worker.ts is started by the server and cannot be run directly');
const firstMessage = once(parentPort, 'message') as Promise<[FirstMessage]>;

const registry = new Registry();
registerStandard(registry);
const [{ data, port }] = await firstMessage;
await registerModules(registry, data.modules);

const sink = new BusSink(data.logLevel);
const router = new LogRouter(sink);
const log = createLogger(router);
const channel = new Channel(portOf(port), log);
const bus = new WorkerBus(data.thread, channel);
const cells = new SharedCells(data.cells, data.thread);
const outputs = new RemoteOutputs(bus);
const sockets = new ListenSockets(data.sockets, data.keptSockets);
const services = new Map([
  ...threadServices({
    bus,
    cells,
    tally: data.tally,
    router,
    log,
    reusePort: data.reusePort,
    sockets,
    routes: data.routes,
  }),
  [logOutputsToken, outputs] as const,
]);
recordFaults({ log, router, metrics: services.get(metricsToken) as Metrics });
catchEscapes();
const runtime = new Runtime({ registry, roles: { control: false, traffic: true }, log, services });
follow(
  runtime,
  channel,
  async () => {
    await stopTraffic(runtime);
    sink.flush();
    outputs.flush();
  },
  () => {
    if (data.keptSockets) sockets.discard();
  },
);
sink.connect(bus);
bus.open(log);
