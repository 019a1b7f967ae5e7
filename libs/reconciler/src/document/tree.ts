/** Reads and modifies immutable JSON trees. A modification creates new nodes only along its path. */
import {
  pathError,
  isArray,
  isObject,
  kindOf,
  own,
  type Json,
  type JsonArray,
  type JsonObject,
  formatPointer,
  parseIndex,
  type ConfigPath,
} from '@sluice/base';

/**
 * Unpublished containers created by a sequence of modifications. Later modifications may change them in place, so that a large container is
 * copied only once.
 */
export type Draft = Set<object>;

export function getAt(root: Json, path: ConfigPath): Json | undefined {
  let node: Json | undefined = root;
  for (const segment of path) {
    if (isObject(node)) node = own(node, segment);
    else if (isArray(node)) {
      const index = parseIndex(segment);
      node = index < 0 ? undefined : node[index];
    } else return undefined;
  }
  return node;
}

/** Implements RFC 6902 `add`. Sets a key of an object or inserts an array element. `-` or the array's length appends the element. */
export function addAt(root: Json, path: ConfigPath, value: Json, draft?: Draft): Json {
  if (path.length === 0) return value;
  return changeAt(root, { path, draft }, (parent, segment) => {
    if (isObject(parent)) return setKey(parent, segment, value, draft);
    if (isArray(parent)) {
      const index = segment === '-' ? parent.length : parseIndex(segment);
      if (index < 0 || index > parent.length) {
        throw pathError(
          `${formatPointer(path)}: an element can be inserted at index 0 to ${parent.length}, not at ${JSON.stringify(segment)}`,
        );
      }
      const elements = ownArray(parent, draft);
      elements.splice(index, 0, value);
      return elements;
    }
    throw pathError(`${formatPointer(path.slice(0, -1)) || '/'} is ${kindOf(parent)}; cannot add anything to it`);
  });
}

/** Implements RFC 6902 `replace`. The target must exist. */
export function replaceAt(root: Json, path: ConfigPath, value: Json, draft?: Draft): Json {
  if (path.length === 0) return value;
  return changeAt(root, { path, draft }, (parent, segment) => {
    if (isObject(parent)) {
      if (!Object.hasOwn(parent, segment))
        throw pathError(`${formatPointer(path)} does not exist, so it cannot be replaced`, 404);
      return setKey(parent, segment, value, draft);
    }
    if (isArray(parent)) return setElement(parent, elementIndex(parent, path, path.length - 1), value, draft);
    throw pathError(`${formatPointer(path.slice(0, -1)) || '/'} is ${kindOf(parent)}; cannot replace anything in it`);
  });
}

/** Implements RFC 6902 `remove`. The target must exist. Removing the root results in `null`. */
export function removeAt(root: Json, path: ConfigPath, draft?: Draft): Json {
  if (path.length === 0) return null;
  return changeAt(root, { path, draft }, (parent, segment) => {
    if (isObject(parent)) {
      if (!Object.hasOwn(parent, segment))
        throw pathError(`${formatPointer(path)} does not exist, so it cannot be removed`, 404);
      const copy = ownObject(parent, draft);
      delete copy[segment];
      return copy;
    }
    if (isArray(parent)) {
      const index = elementIndex(parent, path, path.length - 1);
      const elements = ownArray(parent, draft);
      elements.splice(index, 1);
      return elements;
    }
    throw pathError(`${formatPointer(path.slice(0, -1)) || '/'} is ${kindOf(parent)}; cannot remove anything from it`);
  });
}

/** The path to modify, and the containers that may be modified in place. */
interface Place {
  readonly path: ConfigPath;
  readonly draft: Draft | undefined;
}

type Change = (parent: Json, segment: string) => Json;

/** Applies `change(container, lastSegment)` to the container of the value at `path`. Returns a new root that contains the changed container. */
function changeAt(root: Json, place: Place, change: Change, at = 0): Json {
  const { path, draft } = place;
  const segment = path[at] ?? '';
  if (at === path.length - 1) return change(root, segment);
  if (isObject(root)) {
    const child = own(root, segment);
    if (child === undefined) throw pathError(`${formatPointer(path.slice(0, at + 1))} does not exist`, 404);
    const changed = changeAt(child, place, change, at + 1);
    return changed === child ? root : setKey(root, segment, changed, draft);
  }
  if (isArray(root)) {
    const index = elementIndex(root, path, at);
    const changed = changeAt(root[index] ?? null, place, change, at + 1);
    return changed === root[index] ? root : setElement(root, index, changed, draft);
  }
  throw pathError(
    `${formatPointer(path.slice(0, at)) || '/'} is ${kindOf(root)}; cannot look up ${JSON.stringify(segment)} in it`,
  );
}

function elementIndex(array: JsonArray, path: ConfigPath, at: number): number {
  const segment = path[at] ?? '';
  const index = parseIndex(segment);
  const where = formatPointer(path.slice(0, at)) || '/';
  if (index < 0)
    throw pathError(`${where} is an array; ${JSON.stringify(segment)} is not an index (0 to ${array.length - 1})`);
  if (index >= array.length) throw pathError(`${where} has ${array.length} elements; there is no index ${index}`, 404);
  return index;
}

/** Define the key instead of assigning it, so that `__proto__` is an ordinary key. */
function setKey(object: JsonObject, key: string, value: Json, draft: Draft | undefined): JsonObject {
  if (own(object, key) === value) return object;
  const copy = ownObject(object, draft);
  Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

function setElement(array: JsonArray, index: number, value: Json, draft: Draft | undefined): JsonArray {
  if (array[index] === value) return array;
  const elements = ownArray(array, draft);
  elements[index] = value;
  return elements;
}

function ownObject(object: JsonObject, draft: Draft | undefined): Record<string, Json> {
  if (draft?.has(object) === true) return object;
  const copy = { ...object };
  draft?.add(copy);
  return copy;
}

function ownArray(array: JsonArray, draft: Draft | undefined): Json[] {
  if (draft?.has(array) === true) return array as Json[];
  const copy = array.slice();
  draft?.add(copy);
  return copy;
}
