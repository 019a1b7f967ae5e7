/** Messages between the control thread and the adapter thread. */
import type { AdaptingResult, AdaptingTask } from '@sluice/reconciler';
import type { ModuleSource } from '../modules/module-source.ts';

export interface AdaptingMessage {
  readonly task: AdaptingTask;
  /** Third-party module packages, loaded for the first task. */
  readonly modules: readonly ModuleSource[];
}

/** Sent by the thread once when its code is loaded, and after each task. */
export type AdaptingReply =
  | 'ready'
  | { readonly result: AdaptingResult }
  | { readonly error: { readonly code: string; readonly status: number; readonly message: string } };
