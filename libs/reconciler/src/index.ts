/** The configuration document and its differences, the runtime that keeps unchanged components, two-phase changes, and the change history. */
export { adaptConfig, convertConfig, sourcesOf } from './changes/adapt-config.ts';
export {
  adaptingThread,
  adaptText,
  convertText,
  runAdapting,
  sourcesOfText,
  type AdaptedText,
  type AdaptingResult,
  type AdaptingTask,
  type AdaptingThread,
} from './changes/adapting.ts';
export { rehearse } from './changes/rehearse.ts';
export { DocumentSources } from './changes/document-sources.ts';
export type { ChangeOptions, ChangeResult, Edit } from './changes/change.ts';
export { canaryError, type Canary } from './changes/canary.ts';
export type { DocumentView } from './changes/effective-document.ts';
export { Reconciler } from './changes/reconciler.ts';
export { History, type HistoryEntry } from './changes/history.ts';
export type { ConfigStore, HistoryStore, Past } from './changes/store.ts';
export { noThreads, type CanaryTransition, type TrafficThreads, type Transition } from './changes/threads.ts';
export { diff } from './document/diff.ts';
export { hashNode } from './document/hash.ts';
export { IdIndex } from './document/ids.ts';
export { applyJsonPatch, applyMergePatch, applyOperations } from './document/patch.ts';
export { isPersisted } from './changes/persist-changes.ts';
export { shareSubtrees } from './document/share.ts';
export { addAt, removeAt, replaceAt, getAt } from './document/tree.ts';
export { Epoch, EpochTracker } from './reconcile/epochs.ts';
export type { BuildReport, ReportedModule } from './reconcile/report.ts';
export { Runtime, epochsToken, type Candidate, type KeepBack, type NextCanary } from './reconcile/runtime.ts';
export { storageSection } from './storage-section.ts';
export { register } from './register.ts';
