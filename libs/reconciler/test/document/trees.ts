/** Generates random documents and changes for property-based tests of the configuration tree. */
import fc from 'fast-check';
import type { Json, JsonObject } from '@sluice/base';

/** Generates few distinct keys, so that changes conflict. Some keys are special in JSON Pointers, URLs or JavaScript objects. */
export const keys = fc.constantFrom('a', 'b', 'c', 'a/b', '~', '~1', ' ', '0', '1', '__proto__', 'constructor', 'ü"\\');

/** Generates scalars that JSON serialization preserves. */
const scalars: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, 1, 'x', ''),
  fc.string(),
  fc.integer(),
);

/** Creates an object with explicitly defined properties, so that `__proto__` is an ordinary key. */
export function objectOf(entries: readonly (readonly [string, Json])[]): JsonObject {
  const object: Record<string, Json> = {};
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/** Generates arbitrary documents with nested objects and arrays. */
export const documents: fc.Arbitrary<Json> = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalars,
    fc.array(tie('node'), { maxLength: 5 }),
    fc.array(fc.tuple(keys, tie('node')), { maxLength: 5 }).map(objectOf),
  ),
})).node;

/** Generates a document and a modified version. The versions may or may not share nodes. */
export const editedDocuments: fc.Arbitrary<[before: Json, after: Json]> = fc
  .tuple(
    documents,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('set', 'drop', 'insert', 'swap'), documents), { maxLength: 4 }),
    fc.boolean(),
  )
  .map(([before, edits, shared]) => {
    let after = shared ? before : copy(before);
    for (const [seed, kind, value] of edits) after = edit(after, seed, kind, value);
    return [before, after];
  });

/** Returns a deep copy that shares no nodes with the original. */
export function copy(node: Json): Json {
  if (Array.isArray(node)) return node.map((item: Json) => copy(item));
  if (typeof node !== 'object' || node === null) return node;
  return objectOf(Object.entries(node as JsonObject).map(([key, value]) => [key, copy(value)]));
}

/** Changes one value at a position determined by `seed`. Creates new nodes only along the path to the value. */
function edit(node: Json, seed: number, kind: string, value: Json): Json {
  if (Array.isArray(node)) {
    const items = [...(node as readonly Json[])];
    const index = items.length === 0 ? 0 : seed % items.length;
    const inner = items[index];
    if (typeof inner === 'object' && inner !== null && seed % 3 > 0)
      items[index] = edit(inner, Math.floor(seed / 3), kind, value);
    else if (kind === 'insert' || items.length === 0) items.splice(index, 0, value);
    else if (kind === 'drop') items.splice(index, 1);
    else if (kind === 'swap') items.reverse();
    else items[index] = value;
    return items;
  }
  if (typeof node !== 'object' || node === null) return value;
  const entries = Object.entries(node as JsonObject);
  const at = entries[entries.length === 0 ? 0 : seed % entries.length];
  if (at === undefined || kind === 'insert') return objectOf([...entries, ['b', value]]);
  const rest = entries.filter((entry) => entry !== at);
  if (kind === 'drop') return objectOf(rest);
  const inner = at[1];
  const next =
    typeof inner === 'object' && inner !== null && seed % 3 > 0
      ? edit(inner, Math.floor(seed / 3), kind, value)
      : value;
  return objectOf([...rest, [at[0], next]]);
}
