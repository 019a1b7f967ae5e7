/** Zero values of types, for keys that a map does not have. */
import { TypedNumber, type NumberKind } from './number.ts';

/** The zero value of an element type; null for types whose zero is nil. */
export function zeroOf(type: string): unknown {
  switch (type) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int':
      return 0;
    default:
      if (type.startsWith('[]')) return [];
      return /^(?:u?int|float)\d+$/.test(type) ? new TypedNumber(type as NumberKind, 0) : null;
  }
}
