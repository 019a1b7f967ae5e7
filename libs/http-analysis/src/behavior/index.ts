/** Compares how two configurations handle requests. The server loads this module on first use. */
export { compareBehavior, compareRequest, emptyReport, type BehaviorVerdict } from './compare.ts';
export { comparedRequests } from './compared-requests.ts';
export { affectedBy } from './affected-requests.ts';
