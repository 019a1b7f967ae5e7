/** Analysis of `http` app configurations: explanations of requests, comparisons of two configurations, and lint checks. */
export { loadBehavior } from './behavior/load.ts';
export type { ComparedOne, BehaviorVerdict } from './behavior/compare.ts';
export type { BehaviorReport } from './behavior/types.ts';
export { documentPart } from './explain/document-place.ts';
export { findServer } from './explain/find-server.ts';
export { loadExplain } from './explain/load.ts';
export type { ExplainRequest, Explanation } from './explain/types.ts';
export { register } from './register.ts';
export { hasNoSideEffects, isStateful, unsafeReason } from './shadow/side-effects.ts';
export { loadShadow } from './shadow/load.ts';
export { shadowThreadToken, type LiveRequest, type ShadowThread } from './shadow/shadow-thread.ts';
export type { ShadowReport, ShadowTask } from './shadow/types.ts';
