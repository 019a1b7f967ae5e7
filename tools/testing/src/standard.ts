/**
 * Starts a server with all its modules in the test process. The server is the package `sluice`, an optional peer dependency that is loaded
 * on demand. A regular dependency would be cyclic, because the tests of the server's modules use this package.
 */
import { isObject, type Json, type JsonObject, type Logger, type LogSink } from '@sluice/base';
import type { Reconciler, Runtime } from '@sluice/reconciler';
import type { Register, Registry } from '@sluice/registry';
import { freePort } from './machine.ts';

/** The part of the package `sluice` that the tests use; see its `startControl`. */
interface ServerPackage {
  registerStandard(registry: Registry): void;
  readonly WorkerReserve: new (size: number) => object;
  startControl(options: {
    readonly workers: number;
    readonly reserve: object;
    readonly modules: readonly never[];
    readonly register: readonly Register[];
    readonly store: null;
    readonly sink: LogSink;
    readonly logLevel: 'debug';
    readonly adminAddress: string;
    readonly onStop: () => void;
  }): Promise<{
    readonly reconciler: Reconciler;
    readonly runtime: Runtime;
    ready(): Promise<void>;
    stop(): Promise<void>;
  }>;
}

export interface StandardServer {
  readonly reconciler: Reconciler;
  readonly runtime: Runtime;
  /** Port of the admin endpoint on the loopback address. */
  readonly adminPort: number;
  close(): Promise<void>;
}

/** Logging configuration that discards all entries, so that tests print nothing by default. */
const noLogs: JsonObject = { logs: { default: { writer: { output: 'discard' } } } };

/** Starts the server with its standard modules, additional packages and the given configuration. */
export async function startStandard(
  config: Json,
  { register, log }: { readonly register: readonly Register[]; readonly log: Logger },
): Promise<StandardServer> {
  const { startControl, WorkerReserve } = await importServer();
  const adminPort = await freePort();
  const control = await startControl({
    workers: 0,
    reserve: new WorkerReserve(0),
    modules: [],
    register,
    store: null,
    sink: sinkOf(log),
    logLevel: 'debug',
    adminAddress: `127.0.0.1:${adminPort}`,
    onStop: () => {},
  });
  try {
    await control.reconciler.load(
      isObject(config) && config['logging'] === undefined ? { logging: noLogs, ...config } : config,
    );
  } catch (error) {
    await control.stop();
    throw error;
  }
  await control.ready();
  return { reconciler: control.reconciler, runtime: control.runtime, adminPort, close: () => control.stop() };
}

/** Registers all modules of the server. */
export async function useStandard(registry: Registry): Promise<void> {
  (await importServer()).registerStandard(registry);
}

async function importServer(): Promise<ServerPackage> {
  // Don't use a literal for the package name. Otherwise, the compiler would build the server before this package, but the server's tests
  // require this package.
  const name: string = 'sluice';
  return (await import(name)) as ServerPackage;
}

function sinkOf(log: Logger): LogSink {
  return {
    enabled: (level) => log.enabled(level),
    write: ({ level, logger, message, fields }) => log.named(logger)[level](message, fields),
  };
}
