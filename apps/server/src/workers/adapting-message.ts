/** Messages between the control thread and the one that adapts. */
import type { AdaptingResult, AdaptingTask } from '@sluice/reconciler';
import type { ModuleSource } from '../modules/module-source.ts';

/** To the thread: one task; the next one comes after the reply. */
export interface AdaptingMessage {
  readonly task: AdaptingTask;
  /** Third-party packages of modules; loaded for the first task. */
  readonly modules: readonly ModuleSource[];
}

/** Back from it: once when its code is loaded, and then for each task. */
export type AdaptingReply =
  | 'ready'
  | { readonly result: AdaptingResult }
  | { readonly error: { readonly code: string; readonly status: number; readonly message: string } };
