/** What is loaded to read about placeholders, and by no server. */
export { globalPlaceholders } from './placeholders/describe.ts';
