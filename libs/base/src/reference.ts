/** Reference documentation of placeholders. Servers never load this data. */
export { globalPlaceholders } from './placeholders/describe.ts';
