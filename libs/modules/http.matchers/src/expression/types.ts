/** CEL type relations for the type checker. */
import { CelScalar, listType, mapType, type CelMapType, type CelType } from '@bufbuild/cel';

const { DYN } = CelScalar;

/** Reports whether a value of one CEL type can be used where another type is expected. `dyn` matches every type. */
export function agree(a: CelType, b: CelType): boolean {
  if (a === DYN || b === DYN) return true;
  if (a.kind === 'list' && b.kind === 'list') return agree(a.element, b.element);
  if (a.kind === 'map' && b.kind === 'map') return agree(a.key, b.key) && agree(a.value, b.value);
  if (a.kind === 'object' || b.kind === 'object') {
    if (a === CelScalar.NULL || b === CelScalar.NULL) return true;
    return a.kind === b.kind && a.name === b.name;
  }
  return a.kind === 'scalar' && b.kind === 'scalar' && a.name === b.name;
}

/** Returns a CEL type that covers the values of all given types. */
export function joinTypes(types: readonly CelType[]): CelType {
  const [first, ...rest] = types;
  return first !== undefined && rest.every((type) => describe(type) === describe(first)) ? first : DYN;
}

export function listOf(element: CelType): CelType {
  return listType(element);
}

/** Returns a map type. Invalid key types are rejected when the map is created. */
export function mapOf(key: CelType, value: CelType): CelType {
  return mapType(key as CelMapType['key'], value);
}

/** Formats a type for error messages, for example `list(int)`. */
export function describe(type: CelType): string {
  if (type.kind === 'list') return `list(${describe(type.element)})`;
  if (type.kind === 'map') return `map(${describe(type.key)}, ${describe(type.value)})`;
  return type.name;
}
