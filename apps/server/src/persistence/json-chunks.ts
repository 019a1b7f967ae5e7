/** Writes a large tree as JSON piece by piece, so that the thread can do other things in between. */
import { isArray, isObject, type Json } from '@sluice/base';

/** Below this depth (routes of servers of the HTTP app are at 6) values are small enough to be written at once. */
const walkedDepth = 6;

/** Characters per piece, about. */
const pieceLength = 64 * 1024;

/** The text of `JSON.stringify(value)` in pieces. The tree is immutable, so it may be written while newer ones are made. */
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
    for (const key of Object.keys(value)) {
      yield `${separator}${JSON.stringify(key)}:`;
      yield* parts(value[key] as Json, depth + 1);
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  }
}
