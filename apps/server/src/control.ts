/**
 * The control plane of a server: the document and the engine that applies it, the admin endpoint, the saved
 * configuration, and the workers that serve. With no workers the same thread serves as well, through the same code.
 */
import { AdminEndpoint, adminEndpoint, serveAdmin } from '@sluice/admin-api';
import {
  allocateSharedCells,
  ControlBus,
  Engine,
  noThreads,
  Registry,
  Runtime,
  SharedCells,
  TrafficPool,
  type ConfigStore,
  type Logger,
  type LogLevel,
  type LogSink,
} from '@sluice/registry';
import { logEntries } from './logging/bus-sink.ts';
import type { ModuleSource } from './modules/module-source.ts';
import { registerModules } from './modules/register-modules.ts';
import { registerStandard } from './register-standard.ts';
import { stopTraffic } from './stop-traffic.ts';
import { threadServices } from './thread-services.ts';
import { version } from './version.ts';
import { canReusePort } from './workers/reuse-port.ts';
import { spawnWorker } from './workers/spawn.ts';

/** What a server is started with. */
export interface ControlOptions {
  /** How many workers serve; 0 lets the control thread do it. */
  readonly workers: number;
  /** Third-party packages of modules. */
  readonly modules: readonly ModuleSource[];
  readonly store: ConfigStore | null;
  readonly log: Logger;
  readonly sink: LogSink;
  readonly logLevel: LogLevel;
  /** Where the admin endpoint is unless the configuration says otherwise. */
  readonly adminAddress: string;
  /** Called when a client of the admin API asks the process to end. */
  readonly onStop: () => void;
}

/** A server that runs. */
export interface Control {
  readonly engine: Engine;
  /** How many workers there are meant to be. */
  readonly workers: number;
  /** Stops gracefully: no new connections, requests in flight as long as their app grants, then everything else. */
  stop(): Promise<void>;
}

/** Starts the control plane and the workers, without a configuration. */
export async function startControl(options: ControlOptions): Promise<Control> {
  const { log } = options;
  const workers = await possibleWorkers(options.workers, log);
  const memory = allocateSharedCells({ threads: workers + 1 });
  const cells = new SharedCells(memory, 0);
  const bus = new ControlBus(log);
  bus.onReport(logEntries, (entries) => {
    for (const entry of entries) if (options.sink.enabled(entry.level, entry.logger)) options.sink.write(entry);
  });
  const reusePort = workers > 1;
  const shared = { cells: memory, reusePort, logLevel: options.logLevel, modules: options.modules };
  const pool =
    workers === 0
      ? null
      : new TrafficPool({
          size: workers,
          spawn: (thread) => spawnWorker({ ...shared, thread }, log),
          bus,
          log,
          exclusive: (task) => engine.exclusive(task),
          onGone: (thread) => cells.reap(thread),
        });
  // Workers load their code while this thread loads its own.
  pool?.start();
  const registry = new Registry();
  try {
    await registerStandard(registry);
    await registerModules(registry, options.modules);
  } catch (error) {
    await pool?.stop(1);
    throw error;
  }
  const endpoint = new AdminEndpoint({ defaultAddress: options.adminAddress, log: log.named('admin') });
  const services = new Map([...threadServices({ bus, cells, reusePort: false }), [adminEndpoint, endpoint]]);
  const runtime = new Runtime({ registry, roles: { control: true, traffic: workers === 0 }, log, services });
  const engine = new Engine({ registry, runtime, threads: pool ?? noThreads, store: options.store, log });
  await serveAdmin({ engine, endpoint, log: log.named('admin'), version, onStop: options.onStop });
  const stop = async (): Promise<void> => {
    await engine.exclusive(() => (pool === null ? stopTraffic(runtime) : pool.stop()));
    await engine.close();
    await endpoint.close();
  };
  return { engine, workers, stop };
}

/** Several workers need a port that can be shared; where there is none, one has to do. */
async function possibleWorkers(wanted: number, log: Logger): Promise<number> {
  if (wanted <= 1 || (await canReusePort())) return wanted;
  log.warn('this system cannot share a port between threads: one worker serves', { wanted });
  return 1;
}
