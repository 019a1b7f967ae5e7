import type { Logger } from '@sluice/base';
import type { Registry } from '@sluice/registry';
import type { Runtime } from '../reconcile/runtime.ts';
import type { DocumentView } from './effective-document.ts';
import type { ConfigStore } from './store.ts';
import type { TrafficThreads } from './threads.ts';

/** Components and services that a reconciler requires. */
export interface ReconcilerOptions {
  readonly registry: Registry;
  readonly runtime: Runtime;
  readonly threads: TrafficThreads;
  readonly store: ConfigStore | null;
  readonly log: Logger;
  /** Document transformation for the threads of this machine. Default: none. */
  readonly view?: DocumentView;
  /** Adds configuration that is not part of the document. Default: none. */
  readonly layer?: DocumentView;
}
