/** Loaded in the shadow thread. */
export { Shadow } from './shadow.ts';
export { guardedUpstreams } from './shadow-guard.ts';
