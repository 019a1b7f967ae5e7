export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Keys and indexes from the root. */
export type Path = readonly (string | number)[];

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns an own property of an object; `undefined` if it does not exist. */
export function own(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns the value at a path, or `undefined` if none exists. */
export function valueAt(root: Json | undefined, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const key of path) value = isList(value) ? value[Number(key)] : own(value, String(key));
  return value;
}

/** Returns the document with another value at a path. Missing parents are created. */
export function setAt(root: Json | undefined, path: Path, value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (isList(root)) return root.with(Number(key), setAt(root[Number(key)], rest, value));
  const object = isObject(root) ? root : {};
  return { ...object, [key]: setAt(own(object, String(key)), rest, value) };
}

/** Returns the document without the value at a path. */
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

/** Returns the document with a value inserted into a list, before an index. */
export function insertAt(root: Json | undefined, path: Path, value: Json): Json {
  const parent = valueAt(root, path.slice(0, -1));
  const list = isList(parent) ? parent : [];
  return setAt(root, path.slice(0, -1), list.toSpliced(Number(path.at(-1) ?? list.length), 0, value));
}

/** Reports whether two values are equal. The order of keys is ignored. */
export function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}
