/**
 * A server with all its modules in the test process. It comes from the package `sluice`, an optional peer that is loaded on demand. This
 * package cannot depend on it, because the server's modules are tested with this package.
 */
import { isObject, type Json, type JsonObject, type Logger, type LogSink } from '@sluice/base';
import type { Reconciler, Runtime } from '@sluice/reconciler';
import type { Register, Registry } from '@sluice/registry';
import { freePort } from './machine.ts';

/** The part of the package `sluice` that is used here; see its `startControl`. */
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
  /** Port of the admin endpoint on loopback. */
  readonly adminPort: number;
  close(): Promise<void>;
}

/** Disables logs by default, so that tests print nothing. */
const noLogs: JsonObject = { logs: { default: { writer: { output: 'discard' } } } };

/** Starts the server with its own modules, these packages and this configuration. */
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
  // The name is not a literal, so that the compiler does not build the server before this package, which the server's
  // tests need.
  const name: string = 'sluice';
  return (await import(name)) as ServerPackage;
}

function sinkOf(log: Logger): LogSink {
  return {
    enabled: (level) => log.enabled(level),
    write: ({ level, logger, message, fields }) => log.named(logger)[level](message, fields),
  };
}
