/** A server with the built dashboard, running in the test process. */
import type { Json, LogEntry } from '@sluice/base';
import { startControl, WorkerReserve, type Control } from 'sluice';
import { changesOf, type SendChange } from './change.ts';

/** A running server. */
export interface DashboardServer {
  readonly control: Control;
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  readonly entries: readonly LogEntry[];
  /** Changes the configuration from another client. */
  readonly change: SendChange;
  close(): Promise<void>;
}

/** Starts a server with the given configuration. */
export async function startServer(document: Json = {}): Promise<DashboardServer> {
  const entries: LogEntry[] = [];
  const sink = { enabled: () => true, write: (entry: LogEntry) => void entries.push(entry) };
  const control = await startControl({
    workers: 0,
    reserve: new WorkerReserve(0),
    modules: [],
    store: null,
    sink,
    logLevel: 'info',
    adminAddress: '127.0.0.1:0',
    onStop: () => undefined,
    onUpgrade: () => Promise.resolve(1),
  });
  await control.reconciler.load(document);
  await control.ready();
  const origin = `http://${control.adminAddress() ?? ''}`;
  return { control, origin, entries, change: changesOf(origin), close: () => control.stop() };
}
