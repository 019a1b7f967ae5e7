/**
 * Compiles strings that contain placeholders. `{name}` is replaced by a value; `\{` and `\}` are literal braces. Strings are parsed and
 * names are resolved during provisioning, so nothing is parsed for each request.
 */
import { flat } from '../text/flat.ts';

/** Reads a value from a subject, such as a request. Returns `undefined` if the value is not known yet. */
export type Accessor<S> = (subject: S) => unknown;

/** Resolves a placeholder name to its accessor. Returns `null` if the name is never valid. */
export type Resolver<S> = (name: string) => Accessor<S> | null;

/**
 * Treatment of unknown placeholders. `keep` leaves them unchanged, and `empty` removes them. The reference page of each option states which
 * treatment applies.
 */
export type Unknown = 'keep' | 'empty';

export interface Template<S> {
  /** The text if it contains no placeholders. Otherwise `null`. */
  readonly constant: string | null;
  /** The original text from the configuration. */
  readonly source: string;
  /** Returns the text with all placeholders replaced by their values. */
  expand(subject: S): string;
  /**
   * Like {@link expand}, but returns `null` if a placeholder is unknown or empty. Use this method for paths and addresses, because a
   * missing part changes their meaning.
   */
  filled(subject: S): string | null;
  /** Like {@link expand}, but a template that consists of a single placeholder returns the value with its original type. */
  value(subject: S): unknown;
}

/** Part of a template: literal text, or an accessor with a fallback for unknown values. */
type Part<S> = string | { readonly read: Accessor<S>; readonly fallback: Template<S> };

export function compileTemplate<S>(source: string, resolve: Resolver<S>, unknown: Unknown): Template<S> {
  if (!source.includes('{') && !source.includes('\\')) return constantTemplate(source, source);
  const parts = split(source, resolve, unknown);
  const [first] = parts;
  if (parts.length === 0) return constantTemplate('', source);
  if (parts.length === 1 && typeof first === 'string') return constantTemplate(first, source);
  if (parts.length === 1 && typeof first === 'object') return new SingleTemplate(source, first.read, first.fallback);
  return new MixedTemplate(source, parts);
}

function constantTemplate<S>(text: string, source: string): Template<S> {
  return new ConstantTemplate(text, source);
}

class ConstantTemplate<S> implements Template<S> {
  readonly constant: string;
  readonly source: string;

  constructor(constant: string, source: string) {
    this.constant = constant;
    this.source = source;
  }

  expand(_subject: S): string {
    return this.constant;
  }

  filled(_subject: S): string {
    return this.constant;
  }

  value(_subject: S): unknown {
    return this.constant;
  }
}

class SingleTemplate<S> implements Template<S> {
  readonly constant = null;
  readonly source: string;
  readonly #read: Accessor<S>;
  readonly #fallback: Template<S>;

  constructor(source: string, read: Accessor<S>, fallback: Template<S>) {
    this.source = source;
    this.#read = read;
    this.#fallback = fallback;
  }

  expand(subject: S): string {
    const value = this.#read(subject);
    if (typeof value === 'string') return value;
    return value === undefined ? this.#fallback.expand(subject) : formatValue(value);
  }

  filled(subject: S): string | null {
    return this.expand(subject) || null;
  }

  value(subject: S): unknown {
    const value = this.#read(subject);
    return value === undefined ? this.#fallback.expand(subject) : value;
  }
}

class MixedTemplate<S> implements Template<S> {
  readonly constant = null;
  readonly source: string;
  readonly #parts: readonly Part<S>[];

  constructor(source: string, parts: readonly Part<S>[]) {
    this.source = source;
    this.#parts = parts;
  }

  expand(subject: S): string {
    let text = '';
    for (const part of this.#parts) {
      if (typeof part === 'string') {
        text += part;
        continue;
      }
      const value = part.read(subject);
      if (typeof value === 'string') text += value;
      else text += value === undefined ? part.fallback.expand(subject) : formatValue(value);
    }
    return text;
  }

  filled(subject: S): string | null {
    let text = '';
    for (const part of this.#parts) {
      const value = typeof part === 'string' ? part : formatValue(part.read(subject) ?? '');
      if (value === '') return null;
      text += value;
    }
    return text;
  }

  value(subject: S): unknown {
    return this.expand(subject);
  }
}

/** Reports whether text between braces can be a placeholder name. Other text, such as JSON, is always kept unchanged. */
function isName(key: string): boolean {
  return key !== '' && !/[\s{"']/.test(key);
}

function split<S>(source: string, resolve: Resolver<S>, unknown: Unknown): Part<S>[] {
  const parts: Part<S>[] = [];
  let literal = '';
  /**
   * Start of the text that has not been appended to `literal` yet. Append long runs of characters at once. V8 strings that are built one
   * character at a time stay slow to read.
   */
  let run = 0;
  let i = 0;
  while (i < source.length) {
    const unit = source.charAt(i);
    if (unit === '\\' && (source[i + 1] === '{' || source[i + 1] === '}')) {
      literal += source.slice(run, i);
      run = i + 1;
      i += 2;
      continue;
    }
    const end = unit === '{' ? closingBrace(source, i + 1) : -1;
    if (end < 0) {
      i++;
      continue;
    }
    const key = source.slice(i + 1, end);
    const read = resolve(key);
    if (read === null && !(unknown === 'empty' && isName(key))) {
      i++;
      continue;
    }
    literal += source.slice(run, i);
    if (read !== null) {
      if (literal !== '') parts.push(flat(literal));
      literal = '';
      parts.push({ read, fallback: fallbackOf(source.slice(i, end + 1), key, resolve, unknown) });
    }
    i = run = end + 1;
  }
  literal += source.slice(run);
  if (literal !== '') parts.push(flat(literal));
  return parts;
}

function closingBrace(source: string, from: number): number {
  let end = source.indexOf('}', from);
  while (end > 0 && source[end - 1] === '\\') end = source.indexOf('}', end + 1);
  return end;
}

/** Returns the replacement text for a placeholder whose value is unknown. */
function fallbackOf<S>(written: string, key: string, resolve: Resolver<S>, unknown: Unknown): Template<S> {
  if (unknown === 'empty' && isName(key)) return constantTemplate('', written);
  if (!key.includes('{')) return constantTemplate(written.replaceAll('\\}', '}'), written);
  // The brace is literal, but the text after the brace can contain a placeholder.
  const rest = compileTemplate(written.slice(1), resolve, unknown);
  return new MixedTemplate(written, ['{', { read: (subject) => rest.expand(subject), fallback: rest }]);
}

/** Formats a value in the same way as Caddy: lists as `[1 a]`, objects as `map[k:v]`, and `null` as an empty string. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return formatNumber(value);
  if (Array.isArray(value)) return `[${value.map(formatNested).join(' ')}]`;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Error) return value.message;
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[${entries.map(([key, item]) => `${key}:${formatNested(item)}`).join(' ')}]`;
  }
  return String(value);
}

function formatNested(value: unknown): string {
  return value === null || value === undefined ? '<nil>' : formatValue(value);
}

/** Formats a number without an exponent, with the minimum number of digits that identify the number. */
function formatNumber(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(20).replace(/\.?0+$/, '');
}
