/**
 * Kinds and type names of values, as shown by `printf "%T"`, `kindOf` and error messages. JavaScript values represent Go values as follows:
 *
 * - `undefined` represents no value, and `null` represents nil.
 * - Booleans and strings are unchanged. For numbers, see number.ts.
 * - Arrays are slices: `[]interface {}`, unless {@link typedList} sets another type. `Uint8Array` is `[]uint8`.
 * - `Map` and plain objects are maps.
 * - An instance of any other class is a struct. Its fields are the members whose names begin with an uppercase letter.
 * - Functions are funcs.
 */
import { numberKind, TypedNumber, type NumberKind } from './number.ts';

/** Go's kinds, with the names that `kindOf` returns. `invalid` is the kind of nil. */
export type Kind = NumberKind | 'invalid' | 'bool' | 'string' | 'slice' | 'map' | 'struct' | 'ptr' | 'func';

/**
 * Symbol property that sets the Go type name of a class, such as `*http.Request`. A leading `*` makes the type a pointer. Default: the
 * class name.
 */
export const goType: unique symbol = Symbol.for('sluice.text-template.type');

/** Symbol property that contains the element type of a list or map. */
const elementType: unique symbol = Symbol.for('sluice.text-template.element');

/** A Go map. This package creates `Map` objects. Hosts can also pass plain objects. */
export type GoMap = Map<unknown, unknown> | Record<string, unknown>;

const anyElement = 'interface {}';

/** Marks a list as a slice with a Go element type, such as `string` or `int`. Returns the same list. */
export function typedList<T>(list: T[], element: string): T[] {
  Object.defineProperty(list, elementType, { value: element, writable: true });
  return list;
}

/** Marks a map as having values of a Go type. Returns the same map. */
export function typedMap<K, V>(map: Map<K, V>, element: string): Map<K, V> {
  Object.defineProperty(map, elementType, { value: element, writable: true });
  return map;
}

/** Returns the Go element type of a list or map. */
export function elementTypeOf(container: object): string {
  if (container instanceof Uint8Array) return 'uint8';
  const marked = (container as { [elementType]?: unknown })[elementType];
  return typeof marked === 'string' ? marked : anyElement;
}

/** Reports whether a value is a plain object, which represents a map. Class instances represent structs. */
export function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function isMap(value: unknown): value is GoMap {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof Map || isPlainObject(value);
}

/** Reports whether a value represents a slice: an array or bytes. */
export function isList(value: unknown): value is readonly unknown[] | Uint8Array {
  return Array.isArray(value) || value instanceof Uint8Array;
}

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

/** Returns the Go type name of a value. Nil and no value return `<nil>`. */
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

/** Returns the Go key type of a map, which is determined by its first key. */
export function keyTypeOf(map: GoMap): string {
  if (!(map instanceof Map)) return 'string';
  for (const key of map.keys()) return typeOf(key);
  return 'string';
}
