/** A traffic thread: applies what the control thread says, and serves. Started by workers/spawn.ts. */
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { Channel, createLogger, follow, Registry, Runtime, SharedCells, WorkerBus } from '@sluice/registry';
import { BusSink } from './logging/bus-sink.ts';
import { registerModules } from './modules/register-modules.ts';
import { registerStandard } from './register-standard.ts';
import { stopTraffic } from './stop-traffic.ts';
import { threadServices } from './thread-services.ts';
import { portOf } from './workers/port.ts';
import type { WorkerData } from './workers/worker-data.ts';

enableCompileCache();
if (parentPort === null) throw new Error('worker.ts is started by the server, not by hand');

const data = workerData as WorkerData;
const sink = new BusSink(data.logLevel);
const log = createLogger(sink);
const registry = new Registry();
await registerStandard(registry);
await registerModules(registry, data.modules);

const channel = new Channel(portOf(parentPort), log);
const bus = new WorkerBus(data.thread, channel);
const cells = new SharedCells(data.cells, data.thread);
const services = threadServices({ bus, cells, reusePort: data.reusePort });
const runtime = new Runtime({ registry, roles: { control: false, traffic: true }, log, services });
follow(runtime, channel, async () => {
  await stopTraffic(runtime);
  sink.flush();
});
sink.connect(bus);
bus.open(log);
