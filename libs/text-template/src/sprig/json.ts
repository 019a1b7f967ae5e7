/** JSON encoding and decoding, compatible with Go's encoding/json. */
import { isLimit } from '../errors.ts';
import { declare, type TemplateFunction } from '../functions/declare.ts';
import { any, text } from '../functions/parameters.ts';
import { checkCharacters } from '../limits/size.ts';
import { isList, isMap } from '../values/kind.ts';
import { sortedEntries } from '../values/map.ts';
import { float64, numberKind, rawNumber } from '../values/number.ts';
import { formatFloat } from '../fmt/float.ts';
import { printValue } from '../fmt/printer.ts';
import { explainJson } from './json-error.ts';

const maxDepth = 1_000;

/** JSON encoding options: HTML escaping and indentation. */
interface Style {
  readonly escapesHtml: boolean;
  readonly indent: string;
}

function encode(value: unknown, style: Style, depth = 0): string {
  if (depth > maxDepth) throw new Error('json: unsupported value: encountered a cycle');
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return encodeText(value, style.escapesHtml);
  if (typeof value === 'boolean') return String(value);
  const kind = numberKind(value);
  if (kind !== null) return encodeNumber(rawNumber(value));
  if (hasJson(value)) return encode(value.toJSON(), style, depth + 1);
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('base64')}"`;
  if (isList(value))
    return enclose(
      '[]',
      Array.from<unknown, string>(value, (item) => encode(item, style, depth + 1)),
      style,
      depth,
    );
  if (typeof value === 'function') throw new Error('json: unsupported type: func()');
  const entries: [unknown, unknown][] = isMap(value) ? sortedEntries(value) : exposedEntries(value);
  const colon = style.indent === '' ? ':' : ': ';
  const members = entries.map(
    ([key, item]) =>
      encodeText(typeof key === 'string' ? key : printValue(key), style.escapesHtml) +
      colon +
      encode(item, style, depth + 1),
  );
  return enclose('{}', members, style, depth);
}

/** Reports whether a value defines its own JSON representation, as dates and versions do. */
function hasJson(value: unknown): value is { toJSON(): unknown } {
  return typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';
}

function exposedEntries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([name]) => /^\p{Lu}/u.test(name));
}

function encodeNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return value.toString();
  if (!Number.isFinite(value)) throw new Error(`json: unsupported value: ${formatFloat(value, 'g', -1)}`);
  return Object.is(value, -0) ? '-0' : String(value);
}

function enclose(brackets: '[]' | '{}', items: readonly string[], style: Style, depth: number): string {
  if (items.length === 0) return brackets;
  const [open, close] = brackets;
  checkCharacters(items.reduce((length, item) => length + item.length, items.length));
  if (style.indent === '') return open + items.join(',') + close;
  const inner = `\n${style.indent.repeat(depth + 1)}`;
  return `${open}${inner}${items.join(`,${inner}`)}\n${style.indent.repeat(depth)}${close}`;
}

function encodeText(value: string, escapesHtml: boolean): string {
  const quoted = JSON.stringify(value)
    .replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (escape) => (escape === '\\\\' ? escape : '\\ufffd'))
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  if (!escapesHtml) return quoted;
  return quoted.replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}

/** Decodes JSON. All numbers become floats. */
function decode(source: string): unknown {
  try {
    return fromJson(JSON.parse(source));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Error(explainJson(source), { cause: error });
  }
}

function fromJson(value: unknown): unknown {
  if (typeof value === 'number') return float64(value);
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, item]) => [key, fromJson(item)]));
}

const compact: Style = { escapesHtml: true, indent: '' };
const pretty: Style = { escapesHtml: true, indent: '  ' };
const raw: Style = { escapesHtml: false, indent: '' };

/**
 * Returns a default value if a function fails for any reason except an exceeded limit. The `must` variants of the functions throw the
 * error.
 */
function lenient<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch (error) {
    if (isLimit(error)) throw error;
    return otherwise;
  }
}

export const json: Readonly<Record<string, TemplateFunction>> = {
  fromJson: declare([text], (source) => lenient(() => decode(source), null)),
  mustFromJson: declare([text], decode),
  toJson: declare([any], (value) => lenient(() => encode(value, compact), '')),
  mustToJson: declare([any], (value) => encode(value, compact)),
  toPrettyJson: declare([any], (value) => lenient(() => encode(value, pretty), '')),
  mustToPrettyJson: declare([any], (value) => encode(value, pretty)),
  toRawJson: declare([any], (value) => encode(value, raw)),
  mustToRawJson: declare([any], (value) => encode(value, raw)),
};
