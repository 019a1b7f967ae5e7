/**
 * A server with all modules that ship, in the process of a test. It is the package `sluice` itself, an optional peer that
 * is looked up when a test asks for it: the modules of the server are tested with this package, so that it cannot depend
 * on them.
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

/** A standard server of a test. */
export interface StandardServer {
  readonly reconciler: Reconciler;
  readonly runtime: Runtime;
  /** The port of the admin endpoint, on the loopback interface. */
  readonly adminPort: number;
  close(): Promise<void>;
}

/** A configuration that says nothing of logs has none: a test shall print nothing. */
const noLogs: JsonObject = { logs: { default: { writer: { output: 'discard' } } } };

/** Starts the server, with these modules beside its own and this configuration. */
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

/** Adds all modules that ship to a registry. */
export async function useStandard(registry: Registry): Promise<void> {
  (await importServer()).registerStandard(registry);
}

async function importServer(): Promise<ServerPackage> {
  // Not a literal: a compiler that saw it would build the server before this package, and the server's tests need this one.
  const name: string = 'sluice';
  return (await import(name)) as ServerPackage;
}

function sinkOf(log: Logger): LogSink {
  return {
    enabled: (level) => log.enabled(level),
    write: ({ level, logger, message, fields }) => log.named(logger)[level](message, fields),
  };
}
