/**
 * Serializes JSON in chunks. A large response thus neither blocks the thread nor requires memory for the entire text. The document is
 * immutable, so all chunks reflect the same state.
 */
import type { Json, JsonObject } from '@sluice/base';

/** Target size of a chunk, in characters. */
const pieceLength = 64 * 1024;

/** Threshold, in entries: larger objects and arrays are written in runs of several entries. */
const smallContainer = 32;

/** Yields the JSON text of a value in chunks. */
export function* jsonChunks(value: Json): Generator<string, void, void> {
  let buffer = '';
  for (const text of write(value)) {
    buffer += text;
    if (buffer.length < pieceLength) continue;
    yield buffer;
    buffer = '';
  }
  if (buffer !== '') yield buffer;
}

function* write(value: Json): Generator<string, void, void> {
  if (typeof value !== 'object' || value === null) {
    yield JSON.stringify(value);
    return;
  }
  const isArray = Array.isArray(value);
  const keys = isArray ? null : Object.keys(value);
  const count = keys === null ? (value as readonly Json[]).length : keys.length;
  yield isArray ? '[' : '{';
  if (count > smallContainer) yield* writeRuns(value, keys, count);
  else yield* writeEntries(value, keys, count);
  yield isArray ? ']' : '}';
}

function* writeEntries(value: object, keys: readonly string[] | null, count: number): Generator<string, void, void> {
  for (let i = 0; i < count; i++) {
    const key = keys?.[i];
    yield (i > 0 ? ',' : '') + (key === undefined ? '' : `${JSON.stringify(key)}:`);
    yield* write((value as JsonObject)[key ?? i] as Json);
  }
}

/** Writes a large object or array in runs of entries. Adapts the number of entries per run to the average entry size so far. */
function* writeRuns(value: object, keys: readonly string[] | null, count: number): Generator<string, void, void> {
  let length = 8;
  for (let start = 0; start < count;) {
    const end = Math.min(start + length, count);
    const text = runText(value, keys, start, end);
    yield start > 0 ? `,${text}` : text;
    start = end;
    if (text.length > pieceLength) length = Math.max(1, length >> 1);
    else if (text.length < pieceLength / 4) length *= 2;
  }
}

function runText(value: object, keys: readonly string[] | null, start: number, end: number): string {
  if (keys === null) return JSON.stringify((value as readonly Json[]).slice(start, end)).slice(1, -1);
  const entries = keys
    .slice(start, end)
    .map((key) => `${JSON.stringify(key)}:${JSON.stringify((value as JsonObject)[key])}`);
  return entries.join(',');
}
