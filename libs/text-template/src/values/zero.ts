import { TypedNumber, type NumberKind } from './number.ts';

/** Returns the zero value of a Go type, for a missing map key. Returns null for types whose zero value is nil. */
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
