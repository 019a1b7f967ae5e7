/** Comparison of how two configurations handle requests. Loaded on first use. */
export { compareBehavior, emptyReport } from './compare.ts';
export { comparedRequests } from './compared-requests.ts';
