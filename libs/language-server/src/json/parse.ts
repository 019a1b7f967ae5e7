/**
 * Error-tolerant parser for JSON and JSON5. Valid parts become nodes with positions, and invalid parts become problems. Other parsers stop
 * at the first error, which makes them unsuitable for completion.
 */
import type { Json } from '@sluice/base';
import type { Span } from '../text/span.ts';
import { Scanner, type Problem, type Scanned } from './scan.ts';

/** A key and its value in an object. The value may be missing while the user is typing. */
export interface Entry {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: JsonNode | null;
}

/** A JSON value and its position. */
export type JsonNode = ObjectNode | ArrayNode | ScalarNode;

/** `{ … }` */
export interface ObjectNode extends Span {
  readonly kind: 'object';
  readonly entries: readonly Entry[];
}

/** `[ … ]` */
export interface ArrayNode extends Span {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}

/** A string, a number, `true`, `false` or `null`. */
export interface ScalarNode extends Span {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}

export interface JsonText {
  /** Top-level value; `null` if the text contains none. */
  readonly root: JsonNode | null;
  readonly problems: readonly Problem[];
}

/** Maximum nesting depth. */
const maxDepth = 200;

/** Parses source text. If `strict` is true, JSON5 features (comments, trailing commas, unquoted keys) are reported as problems. */
export function parseJson(text: string, strict: boolean): JsonText {
  const scanner = new Scanner(text, strict);
  const root = new Reader(scanner).run();
  return { root, problems: scanner.problems };
}

class Reader {
  readonly #scanner: Scanner;
  #next: Scanned;
  #depth = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
    this.#next = scanner.next();
  }

  run(): JsonNode | null {
    const root = this.#value();
    if (root === null && this.#next.kind !== 'end') this.#problem('expected a value');
    else if (this.#next.kind !== 'end') this.#problem('unexpected content after the value');
    return root;
  }

  #take(): Scanned {
    const taken = this.#next;
    this.#next = this.#scanner.next();
    return taken;
  }

  #problem(message: string, { start, end }: Span = this.#next): void {
    this.#scanner.problem(message, start, end);
  }

  /** Parses a value. Returns `null` and consumes nothing if no value begins here. */
  #value(): JsonNode | null {
    const { kind, start, end } = this.#next;
    if (kind === 'string' || kind === 'word') {
      const { value } = this.#take();
      if (kind === 'string') return { kind: 'scalar', value: String(value), start, end };
      if (value === null || typeof value !== 'string') return { kind: 'scalar', value: value ?? null, start, end };
      this.#problem('expected a value; strings must be quoted', { start, end });
      return { kind: 'scalar', value, start, end };
    }
    if (kind !== '{' && kind !== '[') return null;
    if (this.#depth >= maxDepth) {
      this.#problem(`values are nested more than ${maxDepth} levels deep`);
      while (this.#next.kind !== 'end') this.#take();
      return null;
    }
    this.#depth++;
    const node = kind === '{' ? this.#object() : this.#array();
    this.#depth--;
    return node;
  }

  #object(): ObjectNode {
    const { start } = this.#take();
    const entries: Entry[] = [];
    for (;;) {
      const { kind } = this.#next;
      if (kind === 'string' || kind === 'word') entries.push(this.#entry());
      else if (kind === '}' || kind === 'end') break;
      else if (kind === ']') {
        // Leave the bracket to an enclosing array. It doesn't close this object, which is unterminated.
        break;
      } else {
        if (kind !== ',') this.#problem('expected a key');
        this.#take();
        continue;
      }
      this.#separator('}');
    }
    return { kind: 'object', entries, start, end: this.#close('}') };
  }

  #entry(): Entry {
    const key = this.#take();
    const keySpan = { start: key.start, end: key.end };
    if (key.kind === 'word') this.#scanner.extension('an unquoted key', key.start, key.end);
    const name = key.kind === 'string' ? String(key.value) : this.#scanner.slice(keySpan);
    if (this.#next.kind !== ':') {
      this.#problem(`expected a colon and a value after ${JSON.stringify(name)}`, keySpan);
      return { key: name, keySpan, value: null };
    }
    const colon = this.#take();
    const value = this.#value();
    if (value === null) this.#problem('expected a value', colon);
    return { key: name, keySpan, value };
  }

  #array(): ArrayNode {
    const { start } = this.#take();
    const items: JsonNode[] = [];
    for (;;) {
      const { kind } = this.#next;
      if (kind === ']' || kind === 'end' || kind === '}') break;
      const item = this.#value();
      if (item === null) {
        if (kind !== ',') this.#problem('expected a value');
        this.#take();
        continue;
      }
      items.push(item);
      this.#separator(']');
    }
    return { kind: 'array', items, start, end: this.#close(']') };
  }

  /** Consumes the comma between two elements. */
  #separator(close: '}' | ']'): void {
    const { kind, start } = this.#next;
    if (kind === ',') {
      const comma = this.#take();
      if (this.#next.kind === close) this.#scanner.extension('a trailing comma', comma.start, comma.end);
    } else if (kind !== '}' && kind !== ']' && kind !== 'end') {
      this.#problem('expected a comma', { start, end: start + 1 });
    }
  }

  #close(kind: '}' | ']'): number {
    if (this.#next.kind === kind) return this.#take().end;
    this.#problem(`expected '${kind}'`);
    // Include the end position in an unclosed value at the end of the text, because the user is still typing the value.
    return this.#next.kind === 'end' ? this.#next.start + 1 : this.#next.start;
  }
}

/** Converts a node to a JSON value. Omits entries without a value. If a key is duplicated, the last entry wins. */
export function valueOf(node: JsonNode): Json {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(valueOf);
  return Object.fromEntries(node.entries.flatMap(({ key, value }) => (value === null ? [] : [[key, valueOf(value)]])));
}
