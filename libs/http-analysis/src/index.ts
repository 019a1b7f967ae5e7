/** Analysis of `http` app configurations: explanations of requests, comparisons of two configurations, lint. */
export { findServer } from './explain/find-server.ts';
export { loadExplain } from './explain/load.ts';
export type { ExplainRequest, Explanation } from './explain/types.ts';
export { register } from './register.ts';
export type { BehaviorReport } from './behavior/types.ts';
