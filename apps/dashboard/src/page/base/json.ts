export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Path of a value in a JSON document: keys and indexes, starting at the root. */
export type Path = readonly (string | number)[];

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns an own property of an object, or `undefined` if there is none. */
export function own(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns the value at a path, or `undefined` if there is none. */
export function valueAt(root: Json | undefined, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const key of path) value = isList(value) ? value[Number(key)] : own(value, String(key));
  return value;
}

/** Returns a copy of the document with a new value at a path. Creates missing parents. */
export function setAt(root: Json | undefined, path: Path, value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (isList(root)) return root.with(Number(key), setAt(root[Number(key)], rest, value));
  const object = isObject(root) ? root : {};
  return { ...object, [key]: setAt(own(object, String(key)), rest, value) };
}

/** Returns a copy of the document without the value at a path. */
export function removeAt(root: Json | undefined, path: Path): Json {
  const [key, ...rest] = path;
  if (root === undefined || key === undefined) return null;
  if (isList(root))
    return rest.length === 0
      ? root.toSpliced(Number(key), 1)
      : root.with(Number(key), removeAt(root[Number(key)], rest));
  if (!isObject(root) || !Object.hasOwn(root, key)) return root;
  if (rest.length > 0) return { ...root, [key]: removeAt(root[key], rest) };
  const { [key]: _gone, ...others } = root;
  return others;
}

/** Returns a copy of the document with a value inserted into a list. The path ends with the index of the new value. */
export function insertAt(root: Json | undefined, path: Path, value: Json): Json {
  const parent = valueAt(root, path.slice(0, -1));
  const list = isList(parent) ? parent : [];
  return setAt(root, path.slice(0, -1), list.toSpliced(Number(path.at(-1) ?? list.length), 0, value));
}

/** Reports whether two values are deeply equal, regardless of the order of keys. */
export function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}
