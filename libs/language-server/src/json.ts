/** Finds the positions of JSON values in source text, for commands that report lines and columns. Doesn't load the language server protocol. */
export { parseJson, type JsonNode } from './json/parse.ts';
export { spanAt } from './json/places.ts';
