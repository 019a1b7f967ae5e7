/** Formats a value for any `Printf` verb. */
import { checkCharacters } from '../limits/size.ts';
import { elementTypeOf, isList, isMap, typeOf, type GoMap } from '../values/kind.ts';
import { sortedEntries } from '../values/map.ts';
import { numberKind, rawNumber, TypedNumber } from '../values/number.ts';
import { decodeText } from '../values/text.ts';
import { formatBool, formatHex, formatNumber, formatText } from './scalars.ts';
import { pad, plainSpec, type Spec } from './spec.ts';

/** Maximum nesting depth when printing lists and maps. The limit is needed because they can contain themselves. */
const maxDepth = 100;

const textVerbs = 'vsxXq';

/** Formats a value for a verb. If the verb does not support the type, returns Go's error text, such as `%!d(string=hi)`. */
export function formatValue(value: unknown, verb: string, spec: Spec, depth = 0): string {
  if (value === null || value === undefined) return formatNil(verb, spec, depth);
  if (depth > maxDepth) return '...';
  if (typeof value === 'string') return formatText(value, verb, spec) ?? badVerb(value, verb, spec);
  if (typeof value === 'boolean') return formatBool(value, verb, spec) ?? badVerb(value, verb, spec);
  const described = textVerbs.includes(verb) && !spec.sharpV ? describedBy(value) : null;
  if (described !== null) return formatText(described, verb, spec) ?? badVerb(value, verb, spec);
  const kind = numberKind(value);
  if (kind !== null) return formatNumber(rawNumber(value), kind, verb, spec) ?? badVerb(value, verb, spec);
  if (value instanceof Uint8Array) return formatBytes(value, verb, spec, depth);
  if (isList(value)) return formatList(value, verb, spec, depth);
  if (isMap(value)) return formatMap(value, verb, spec, depth);
  if (typeof value === 'object') return formatStruct(value, verb, spec, depth);
  return verb === 'v' || verb === 'p' ? pad('0x1', spec) : badVerb(value, verb, spec);
}

function formatNil(verb: string, spec: Spec, depth: number): string {
  if (depth > 0) return spec.sharpV ? 'interface {}(nil)' : '<nil>';
  return verb === 'v' ? pad('<nil>', spec) : `%!${verb}(<nil>)`;
}

/** Returns the text from a value's own `Error` or `String` method, as Go does. Null if there is no such method. */
function describedBy(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (value instanceof Error) return value.message;
  const { Error: error, String: string } = value as { Error?: unknown; String?: unknown };
  const method = isMethod(value, 'Error', error) ? error : isMethod(value, 'String', string) ? string : null;
  return method === null ? null : String(Reflect.apply(method, value, []));
}

function isMethod(value: object, name: string, member: unknown): member is (...args: never[]) => unknown {
  return typeof member === 'function' && !Object.hasOwn(value, name);
}

/** Returns Go's text for an unsupported verb: `%!d(string=hi)` contains the verb, the type and the value. */
export function badVerb(value: unknown, verb: string, spec: Spec): string {
  if (value === null || value === undefined) return `%!${verb}(<nil>)`;
  const shown = { ...spec, sharpV: false, plusV: false };
  const plain = value instanceof TypedNumber ? new TypedNumber(value.kind, value.value) : value;
  return `%!${verb}(${typeOf(value)}=${formatValue(plain, 'v', shown)})`;
}

function formatBytes(bytes: Uint8Array, verb: string, spec: Spec, depth: number): string {
  switch (verb) {
    case 's':
    case 'q':
      return formatText(decodeText(bytes), verb, spec) ?? '';
    case 'x':
    case 'X':
      return formatHex(bytes, verb, spec);
    default: {
      if (verb !== 'v' && verb !== 'd') return formatList(bytes, verb, spec, depth);
      const items = Array.from(bytes, (byte) => formatNumber(byte, 'uint8', verb, spec) ?? '');
      return spec.sharpV ? `[]byte{${items.join(', ')}}` : `[${items.join(' ')}]`;
    }
  }
}

function formatList(list: readonly unknown[] | Uint8Array, verb: string, spec: Spec, depth: number): string {
  const bytes = list instanceof Uint8Array;
  const items = Array.from<unknown, string>(list, (item) =>
    formatValue(bytes ? new TypedNumber('uint8', item as number) : item, verb, spec, depth + 1),
  );
  return spec.sharpV ? `[]${elementTypeOf(list)}{${join(items, ', ')}}` : `[${join(items, ' ')}]`;
}

/** Joins items. The size limit protects against structures with shared parts, whose text can be exponentially larger than the structure. */
function join(items: readonly string[], separator: string): string {
  const joined = items.join(separator);
  checkCharacters(joined.length);
  return joined;
}

function formatMap(map: GoMap, verb: string, spec: Spec, depth: number): string {
  const items = sortedEntries(map).map(
    ([key, value]) => `${formatValue(key, verb, spec, depth + 1)}:${formatValue(value, verb, spec, depth + 1)}`,
  );
  return spec.sharpV ? `${typeOf(map)}{${join(items, ', ')}}` : `map[${join(items, ' ')}]`;
}

/** Formats a host object as a struct with its exported fields. Names that begin with a lowercase letter are private. */
function formatStruct(value: object, verb: string, spec: Spec, depth: number): string {
  const type = typeOf(value);
  const named = spec.plusV || spec.sharpV;
  const fields = Object.entries(value)
    .filter(([name]) => /^\p{Lu}/u.test(name))
    .map(([name, field]) => (named ? `${name}:` : '') + formatValue(field, verb, spec, depth + 1));
  const pointer = type.startsWith('*') && depth === 0 ? '&' : '';
  if (spec.sharpV) return `${pointer}${type.replace(/^\*/, '')}{${fields.join(', ')}}`;
  return `${pointer}{${fields.join(' ')}}`;
}

const plain = plainSpec();

/** Formats a value with the verb `%v`. */
export function printValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return formatValue(value, 'v', plain);
}
