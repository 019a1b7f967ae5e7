/** Explanations of how a request is handled. Loaded by `load.ts`. */
export { Explainer } from './explainer.ts';
export { planRequests } from './plan.ts';
export { readRequest } from './read-request.ts';
export { recordedCases } from './recorded-cases.ts';
export { testCaseOf } from './test-case.ts';
