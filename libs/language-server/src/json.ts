/** Positions of JSON values in source text, for commands that report lines and columns. Does not load the protocol. */
export { parseJson, type JsonNode } from './json/parse.ts';
export { spanAt } from './json/places.ts';
