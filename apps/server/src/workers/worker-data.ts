/** What a worker is started with. */
import type { LogLevel, SharedCellsMemory } from '@sluice/registry';
import type { ModuleSource } from '../modules/module-source.ts';

/** Copied to the worker, save for the memory, which is shared. */
export interface WorkerData {
  /** From 1. */
  readonly thread: number;
  readonly cells: SharedCellsMemory;
  readonly reusePort: boolean;
  readonly logLevel: LogLevel;
  readonly modules: readonly ModuleSource[];
}
