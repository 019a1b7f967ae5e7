/** Data for the reference documentation of placeholders. Servers never load it. */
export { globalPlaceholders } from './placeholders/describe.ts';
