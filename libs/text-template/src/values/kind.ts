/**
 * Kinds and type names of values, as `printf "%T"`, `kindOf` and messages show them.
 *
 * A JavaScript value maps to Go like this: `undefined` is not a value at all, `null` is nil; booleans and strings are
 * themselves; numbers see number.ts; arrays are slices (`[]interface {}` unless {@link typedList} said otherwise);
 * `Uint8Array` is `[]uint8`; `Map` and plain objects are maps; an instance of any other class is a struct with the
 * members that begin with an upper-case letter; functions are funcs.
 */
import { numberKind, TypedNumber, type NumberKind } from './number.ts';

/** Go's kinds, as `kindOf` names them. `invalid` is nil. */
export type Kind = NumberKind | 'invalid' | 'bool' | 'string' | 'slice' | 'map' | 'struct' | 'ptr' | 'func';

/** Key under which a class says its Go type (`*http.Request`); a leading `*` makes it a pointer. Default: its name. */
export const goType: unique symbol = Symbol.for('sluice.text-template.type');

/** Key under which a list or map says the type of its elements. */
const elementType: unique symbol = Symbol.for('sluice.text-template.element');

/** A map of Go: ours are `Map`, a host may pass plain objects. */
export type GoMap = Map<unknown, unknown> | Record<string, unknown>;

const anyElement = 'interface {}';

/** Marks a list as a slice of a Go type, such as `string` or `int`. Returns the list. */
export function typedList<T>(list: T[], element: string): T[] {
  Object.defineProperty(list, elementType, { value: element, writable: true });
  return list;
}

/** Marks a map as one with values of a Go type. Returns the map. */
export function typedMap<K, V>(map: Map<K, V>, element: string): Map<K, V> {
  Object.defineProperty(map, elementType, { value: element, writable: true });
  return map;
}

/** The Go type of the elements of a list or map. */
export function elementTypeOf(container: object): string {
  if (container instanceof Uint8Array) return 'uint8';
  const marked = (container as { [elementType]?: unknown })[elementType];
  return typeof marked === 'string' ? marked : anyElement;
}

/** Tells plain objects, which are maps, from instances of classes, which are structs. */
export function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Tells maps. */
export function isMap(value: unknown): value is GoMap {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof Map || isPlainObject(value);
}

/** Tells slices: arrays and bytes. */
export function isList(value: unknown): value is readonly unknown[] | Uint8Array {
  return Array.isArray(value) || value instanceof Uint8Array;
}

/** The kind of a value. */
export function reflectKind(value: unknown): Kind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return numberKind(value) ?? 'invalid';
    case 'function':
      return 'func';
    case 'object':
      return value === null ? 'invalid' : kindOfObject(value);
    default:
      return 'invalid';
  }
}

function kindOfObject(value: object): Kind {
  if (isList(value)) return 'slice';
  if (value instanceof TypedNumber) return value.kind;
  if (isMap(value)) return 'map';
  return typeOf(value).startsWith('*') ? 'ptr' : 'struct';
}

/** The name of the type of a value; `<nil>` for nil and no value. */
export function typeOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return numberKind(value) ?? 'int';
    case 'function':
      return 'func()';
    case 'object':
      return value === null ? '<nil>' : typeOfObject(value);
    default:
      return '<nil>';
  }
}

function typeOfObject(value: object): string {
  const declared = (value as { [goType]?: unknown })[goType];
  if (typeof declared === 'string') return declared;
  if (value instanceof TypedNumber) return value.type;
  if (isList(value)) return `[]${elementTypeOf(value)}`;
  if (isMap(value)) return `map[${keyTypeOf(value)}]${elementTypeOf(value)}`;
  const name: unknown = value.constructor.name;
  return typeof name === 'string' && name !== '' ? name : 'struct {}';
}

/** The Go type of the keys of a map: that of its first key. */
export function keyTypeOf(map: GoMap): string {
  if (!(map instanceof Map)) return 'string';
  for (const key of map.keys()) return typeOf(key);
  return 'string';
}
