/** Messages between the control thread and the adapter thread, which adapts client configurations. */
import type { AdaptingResult, AdaptingTask } from '@sluice/reconciler';
import type { ModuleSource } from '../modules/module-source.ts';

export interface AdaptingMessage {
  readonly task: AdaptingTask;
  /** Third-party module packages, which the thread loads for the first task. */
  readonly modules: readonly ModuleSource[];
}

/** Reply of the adapter thread. Sent once when its code is loaded, and after each task. */
export type AdaptingReply =
  | 'ready'
  | { readonly result: AdaptingResult }
  | { readonly error: { readonly code: string; readonly status: number; readonly message: string } };
