/** The engine: the configuration document and its difference, the reconciler that keeps what a change does not touch, changes in two phases, history. */
export { adaptConfig } from './changes/adapt-config.ts';
export type { ChangeOptions, ChangeResult, Edit } from './changes/change.ts';
export { Engine } from './changes/engine.ts';
export { History, type HistoryEntry } from './changes/history.ts';
export type { ConfigStore, HistoryStore, Past } from './changes/store.ts';
export { noThreads, type TrafficThreads, type Transition } from './changes/threads.ts';
export { diff } from './document/diff.ts';
export { hashNode } from './document/hash.ts';
export { IdIndex } from './document/ids.ts';
export { applyJsonPatch, applyMergePatch, applyOperations } from './document/patch.ts';
export { shareSubtrees } from './document/share.ts';
export { addAt, removeAt, replaceAt, valueAt } from './document/tree.ts';
export { Epoch, EpochTracker } from './reconcile/epochs.ts';
export type { ReportedModule } from './reconcile/report.ts';
export { Runtime, epochsToken, type Candidate } from './reconcile/runtime.ts';
export { storageSection } from './storage-section.ts';
export { register } from './register.ts';
