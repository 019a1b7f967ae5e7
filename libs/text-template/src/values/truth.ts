/** Truth of values, for `if`, `with`, `and`, `or` and `not`. */
import { isList, isMap } from './kind.ts';
import { mapSize } from './map.ts';
import { TypedNumber } from './number.ts';

/** Reports whether a value is true by Go's rules. `false`, 0, nil, and empty strings, lists and maps are false. A struct is always true. */
export function isTrue(value: unknown): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value !== '';
    case 'number':
      return value !== 0;
    case 'bigint':
      return value !== 0n;
    case 'object':
      return value !== null && isTrueObject(value);
    default:
      return value !== undefined;
  }
}

function isTrueObject(value: object): boolean {
  if (value instanceof TypedNumber) return value.value !== 0;
  if (isList(value)) return value.length > 0;
  return isMap(value) ? mapSize(value) > 0 : true;
}
