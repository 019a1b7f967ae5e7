/** Where the values of a JSON text stand; for commands that tell of a file by line and column. It loads nothing of the protocol. */
export { parseJson, type JsonNode } from './json/parse.ts';
export { spanAt } from './json/places.ts';
