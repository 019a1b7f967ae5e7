/**
 * Compiled texts with placeholders: `{name}` stands for a value, `\{` and `\}` for braces. A text is split once, when the
 * configuration is provisioned; names are turned into accessors then, so that at run time nothing is parsed.
 */
import { flat } from '../text/flat.ts';

/** Reads a value of a subject, such as a request. `undefined` means: not known here (and now). */
export type Accessor<S> = (subject: S) => unknown;

/** Finds the accessor of a name, or `null` if no such name can ever be known. */
export type Resolver<S> = (name: string) => Accessor<S> | null;

/**
 * What becomes of a placeholder that is not known: `keep` leaves it as written, `empty` drops it.
 * The reference page of each option says which of the two holds.
 */
export type Unknown = 'keep' | 'empty';

/** A compiled text. */
export interface Template<S> {
  /** The text if it has no placeholders, else `null`. */
  readonly constant: string | null;
  /** The text as configured. */
  readonly source: string;
  /** The text with placeholders replaced. */
  expand(subject: S): string;
  /**
   * Like {@link expand}, but `null` if a placeholder has no value or an empty one. For paths and addresses: one that loses a part
   * leads somewhere else.
   */
  filled(subject: S): string | null;
  /** Like {@link expand}, but a text that is one placeholder and nothing else keeps the type of its value. */
  value(subject: S): unknown;
}

/** A part of a text: literal, or an accessor with what stands for it while its value is not known. */
type Part<S> = string | { readonly read: Accessor<S>; readonly fallback: Template<S> };

/** Compiles a text. */
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

/** A name that cannot be meant as a placeholder, such as a piece of JSON between braces, is always kept. */
function isName(key: string): boolean {
  return key !== '' && !/[\s{"']/.test(key);
}

function split<S>(source: string, resolve: Resolver<S>, unknown: Unknown): Part<S>[] {
  const parts: Part<S>[] = [];
  let literal = '';
  /** What is literal up to `i`, but not in `literal` yet: whole runs, as a text put together by characters is slow for ever. */
  let run = 0;
  let i = 0;
  while (i < source.length) {
    const unit = source[i] as string;
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

/** What stands for a placeholder whose value is not known now. */
function fallbackOf<S>(written: string, key: string, resolve: Resolver<S>, unknown: Unknown): Template<S> {
  if (unknown === 'empty' && isName(key)) return constantTemplate('', written);
  if (!key.includes('{')) return constantTemplate(written.replaceAll('\\}', '}'), written);
  // The brace was no placeholder after all, but there may be one further inside.
  const rest = compileTemplate(written.slice(1), resolve, unknown);
  return new MixedTemplate(written, ['{', { read: (subject) => rest.expand(subject), fallback: rest }]);
}

/** A value as text, as the reference prints it: lists `[1 a]`, objects `map[k:v]`, `null` as nothing. */
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

/** Numbers without exponent, with as few digits as distinguish them. */
function formatNumber(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(20).replace(/\.?0+$/, '');
}
