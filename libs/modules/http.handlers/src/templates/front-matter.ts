/** Front matter at the start of a text: YAML between `---`, TOML between `+++`, or JSON between braces. */
import { parse as parseToml, TomlDate } from 'smol-toml';
import { float64, goType, int64, Instant, parseLayout, type Integer } from '@sluice/text-template';
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Document } from 'yaml';

/** Result of `splitFrontMatter`. */
class FrontMatter {
  static {
    Object.defineProperty(FrontMatter.prototype, goType, { value: 'templates.parsedMarkdownDoc' });
  }

  /** Metadata from the front matter. Empty if there is none. */
  readonly Meta: Map<unknown, unknown>;
  /** Text after the front matter. */
  readonly Body: string;

  constructor(meta: Map<unknown, unknown>, body: string) {
    this.Meta = meta;
    this.Body = body;
  }
}

interface Format {
  readonly open: string;
  readonly close: readonly string[];
  readonly parse: (text: string) => Map<unknown, unknown>;
}

const formats: readonly Format[] = [
  { open: '---', close: ['---', '...'], parse: parseYaml },
  { open: '+++', close: ['+++'], parse: (text) => mapOf(fromToml(parseToml(text, { integersAsBigInt: true }))) },
  { open: '{', close: ['}', '};'], parse: (text) => mapOf(fromJson(JSON.parse(`{${text}}`))) },
];

/** Splits a text into front matter and body. Throws if the front matter is unterminated or invalid. */
export function splitFrontMatter(text: string): FrontMatter {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0 && text.slice(start, end).trim() === ''; end = text.indexOf('\n', start))
    start = end + 1;
  const lineEnd = text.indexOf('\n', start);
  if (lineEnd < 0) return new FrontMatter(new Map(), text);
  const first = text.slice(start, lineEnd).trim();
  const format = formats.find(({ open }) => open === first);
  if (format === undefined) return new FrontMatter(new Map(), text);
  const fence = closingFence(text, lineEnd, format.close);
  if (fence === null) throw new Error(`the front matter that begins with ${format.open} is not terminated`);
  return new FrontMatter(format.parse(text.slice(lineEnd + 1, fence.start)), text.slice(fence.end));
}

/** Finds the first line that begins with one of the markers. Any text after the marker is part of the body. */
function closingFence(
  text: string,
  from: number,
  marks: readonly string[],
): { readonly start: number; readonly end: number } | null {
  for (let newline = from; newline >= 0; newline = text.indexOf('\n', newline + 1)) {
    const mark = marks.find((candidate) => text.startsWith(candidate, newline + 1));
    if (mark !== undefined) return { start: newline + 1, end: newline + 1 + mark.length };
  }
  return null;
}

function mapOf(value: unknown): Map<unknown, unknown> {
  if (value === null) return new Map();
  if (value instanceof Map) return value;
  throw new Error('front matter is not a map');
}

function parseYaml(text: string): Map<unknown, unknown> {
  const document = parseDocument(text, { intAsBigInt: true, customTags: ['timestamp'], merge: true });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  return mapOf(fromYaml(document, document.contents, 0));
}

const maxDepth = 100;

function fromYaml(document: Document, node: unknown, depth: number): unknown {
  if (depth > maxDepth) throw new Error('front matter is nested too deep');
  if (isAlias(node)) return fromYaml(document, node.resolve(document), depth + 1);
  if (isMap(node)) {
    const map = new Map<unknown, unknown>();
    for (const { key, value } of node.items) {
      const name = fromYaml(document, key, depth + 1);
      map.set(
        typeof name === 'string' ? name : String(isScalar(key) ? (key.source ?? key.value) : name),
        fromYaml(document, value, depth + 1),
      );
    }
    return map;
  }
  if (isSeq(node)) return node.items.map((item) => fromYaml(document, item, depth + 1));
  return isScalar(node) ? fromScalar(node.value, node.source) : null;
}

function fromScalar(value: unknown, source: string | undefined): unknown {
  if (value instanceof Date) return dateOf(source ?? value.toISOString(), value);
  if (typeof value === 'bigint') {
    // Octal number, as in YAML 1.1 and in Caddy.
    if (source !== undefined && /^[-+]?0[0-7]+$/.test(source)) return Number.parseInt(source, 8);
    return narrowed(value);
  }
  return typeof value === 'number' ? float64(value) : value;
}

/** Returns a timestamp in the time zone that it contains, or in UTC if it contains none. */
function dateOf(source: string, date: Date): Instant {
  if (/[+-]\d\d:\d\d$/.test(source)) {
    try {
      return parseLayout('2006-01-02T15:04:05Z07:00', source.replace(/^(\S+?)[Tt ]\s*/, '$1T'));
    } catch {
      // Parsing failed because the text is not a full timestamp. `date` already contains the correct instant.
    }
  }
  return Instant.fromUnix(Math.floor(date.getTime() / 1000));
}

function fromToml(value: unknown): unknown {
  if (value instanceof TomlDate) return Instant.fromUnix(Math.floor(value.getTime() / 1000));
  if (typeof value === 'bigint') return int64(value);
  if (typeof value === 'number') return float64(value);
  if (Array.isArray(value)) return value.map(fromToml);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, item]) => [key, fromToml(item)]));
}

function fromJson(value: unknown): unknown {
  if (typeof value === 'number') return float64(value);
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, item]) => [key, fromJson(item)]));
}

function narrowed(value: bigint): Integer {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
