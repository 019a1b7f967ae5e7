/** Explains how a server handles requests. `load.ts` loads this module. */
export { Explainer } from './explainer.ts';
export { planRequests } from './plan.ts';
export { readRequest } from './read-request.ts';
export { recordedCases } from './recorded-cases.ts';
export { testCaseOf } from './test-case.ts';
