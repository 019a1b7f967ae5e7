/** The initial data of a worker. */
import type { MessagePort } from 'node:worker_threads';
import type { LogLevel, SocketDescriptors } from '@sluice/base';
import type { DatagramRoutes } from '@sluice/http-app';
import type { SharedCellsMemory } from '@sluice/threads';
import type { ModuleSource } from '../modules/module-source.ts';

/** Copied to the worker, except for shared memory. */
export interface WorkerData {
  /** Thread number, starting at 1. */
  readonly thread: number;
  readonly cells: SharedCellsMemory;
  /** Memory of the thread's counters. */
  readonly tally: readonly SharedArrayBuffer[];
  readonly reusePort: boolean;
  /** Sockets inherited from the previous process for this thread. */
  readonly sockets: SocketDescriptors;
  /** True for sockets of an exited worker, which the control thread keeps open. */
  readonly keptSockets: boolean;
  readonly routes: DatagramRoutes;
  readonly logLevel: LogLevel;
  /** Third-party module packages. */
  readonly modules: readonly ModuleSource[];
}

/** The first message of a worker. Contains the channel port. */
export interface FirstMessage {
  readonly data: WorkerData;
  readonly port: MessagePort;
}
