/** Serializes a large JSON tree in chunks, so that the thread can do other work in between. */
import { isArray, isObject, type Json } from '@sluice/base';

/** Depth at which values are serialized as a whole instead of in chunks. Routes of HTTP servers are at depth 6. */
const walkedDepth = 6;

/** Approximate length of a chunk, in characters. */
const pieceLength = 64 * 1024;

/** Yields the result of `JSON.stringify(value)` in chunks. Trees are immutable, so concurrent changes are safe. */
export function* jsonChunks(value: Json): IterableIterator<string> {
  let text = '';
  for (const part of parts(value, 0)) {
    text += part;
    if (text.length < pieceLength) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

function* parts(value: Json, depth: number): IterableIterator<string> {
  if (depth >= walkedDepth || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value);
  } else if (isArray(value)) {
    let separator = '[';
    for (const item of value) {
      yield separator;
      yield* parts(item, depth + 1);
      separator = ',';
    }
    yield value.length === 0 ? '[]' : ']';
  } else if (isObject(value)) {
    let separator = '{';
    for (const [key, child] of Object.entries(value)) {
      yield `${separator}${JSON.stringify(key)}:`;
      yield* parts(child, depth + 1);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  }
}
