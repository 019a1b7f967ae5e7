/** Analysis of `http` app configurations: explanations of requests, comparisons of two configurations, lint. */
export { loadBehavior } from './behavior/load.ts';
export type { ComparedOne, BehaviorVerdict } from './behavior/compare.ts';
export type { BehaviorReport } from './behavior/types.ts';
export { findServer } from './explain/find-server.ts';
export { loadExplain } from './explain/load.ts';
export type { ExplainRequest, Explanation } from './explain/types.ts';
export { register } from './register.ts';
