/** Rollouts of configuration changes: plans, comparison of requests with and without a change, and gradual rollouts on one server. */
export { judge, tooFewRequests, type StageView, type StageVerdict } from './judge.ts';
export {
  formatPlan,
  formatStage,
  holdOf,
  isAtLeast,
  isWithinFirst,
  parsePlan,
  planError,
  sizeOf,
  type Plan,
  type Stage,
} from './plan.ts';
export {
  StepRollouts,
  stepRolloutsToken,
  stepsPlan,
  type RolloutOrder,
  type RolloutStore,
  type StepsRequest,
} from './steps/rollouts.ts';
export { sidesReader } from './steps/sides-reader.ts';
export { shownSteps, type StepsState } from './steps/state.ts';
export { addTraffic, bucketOfLatency, decodeTraffic, encodeTraffic, noTraffic, trafficSince } from './traffic.ts';
