/** Entry point that the shadow thread loads. */
export { Shadow } from './shadow.ts';
export { guardedUpstreams } from './shadow-guard.ts';
