/** What a worker is told first. */
import type { MessagePort } from 'node:worker_threads';
import type { LogLevel, SocketDescriptors } from '@sluice/base';
import type { DatagramRoutes } from '@sluice/http-app';
import type { SharedCellsMemory } from '@sluice/threads';
import type { ModuleSource } from '../modules/module-source.ts';

/** Copied to the worker, save for memory, which is shared. */
export interface WorkerData {
  /** Number of the thread, from 1. */
  readonly thread: number;
  readonly cells: SharedCellsMemory;
  /** Memory of the thread's tally. */
  readonly tally: readonly SharedArrayBuffer[];
  readonly reusePort: boolean;
  /** What the process before has handed over for this thread. */
  readonly sockets: SocketDescriptors;
  /** Whether these are sockets of a worker that ended, which the control thread keeps open. */
  readonly keptSockets: boolean;
  readonly routes: DatagramRoutes;
  readonly logLevel: LogLevel;
  /** Third-party packages of modules. */
  readonly modules: readonly ModuleSource[];
}

/** The one message that does not go over the thread's channel: it brings the channel. */
export interface FirstMessage {
  readonly data: WorkerData;
  readonly port: MessagePort;
}
