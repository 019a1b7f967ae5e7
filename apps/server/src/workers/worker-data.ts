/** Initial data of a worker thread. */
import type { MessagePort } from 'node:worker_threads';
import type { LogLevel, SocketDescriptors } from '@sluice/base';
import type { DatagramRoutes } from '@sluice/http-app';
import type { SharedCellsMemory } from '@sluice/threads';
import type { ModuleSource } from '../modules/module-source.ts';

/** Initial data of a worker. It is copied to the worker, except for shared memory. */
export interface WorkerData {
  /** Number of the worker thread, starting at 1. */
  readonly thread: number;
  readonly cells: SharedCellsMemory;
  /** Shared memory for the thread's request counters. */
  readonly tally: readonly SharedArrayBuffer[];
  readonly reusePort: boolean;
  /** Listening sockets for this thread, inherited from the previous process. */
  readonly sockets: SocketDescriptors;
  /** True if the sockets belonged to a worker that has exited. The control thread keeps such sockets open. */
  readonly keptSockets: boolean;
  readonly routes: DatagramRoutes;
  readonly logLevel: LogLevel;
  /** Third-party module packages. */
  readonly modules: readonly ModuleSource[];
}

/** First message to a worker. It contains the port of the message channel. */
export interface FirstMessage {
  readonly data: WorkerData;
  readonly port: MessagePort;
}
