/** Parses and evaluates the If header field of WebDAV requests (RFC 4918 §10.4). */
import { HttpError } from '@sluice/http-app';

/** Condition in an If field about the state of a resource. It is a state token, or the result of an entity tag comparison. */
export type Condition =
  | { readonly negated: boolean; readonly token: string }
  | { readonly negated: boolean; readonly value: boolean };

/** Conditions that must all be true for the resource at `path`. An empty path means a resource outside the share. */
export interface IfList {
  readonly path: string;
  readonly conditions: readonly Condition[];
}

/** Resolves resources in the If field to files. */
export interface IfContext {
  /** Path of the requested resource. */
  readonly path: string;
  /** Returns the file path of a resource tag. Empty if the resource is outside the root. */
  pathOf(reference: string): string;
  /** Returns the current entity tag of a path. Empty if the file does not exist. */
  etagOf(path: string): string;
}

/** A parsed If field, which is true if at least one of its lists is true. All of its state tokens count as submitted. */
export interface IfHeader {
  readonly lists: readonly IfList[];
  readonly tokens: readonly string[];
}

const none: IfHeader = { lists: [], tokens: [] };
const maxConditions = 256;

/** Parses an If field. Throws an error with status 400 if the field is malformed. */
export function parseIf(field: string | undefined, context: IfContext): IfHeader {
  return field === undefined || field.trim() === '' ? none : new IfParser(field, context).parse();
}

/** Evaluates a condition. `covers` reports whether a lock with a given token applies to a path. */
export function matchesCondition(
  condition: Condition,
  path: string,
  covers: (path: string, token: string) => boolean,
): boolean {
  const isTrue = 'value' in condition ? condition.value : path !== '' && covers(path, condition.token);
  return isTrue !== condition.negated;
}

class IfParser {
  readonly #field: string;
  readonly #context: IfContext;
  readonly #tokens: string[] = [];
  #at = 0;
  #count = 0;

  constructor(field: string, context: IfContext) {
    this.#field = field;
    this.#context = context;
  }

  parse(): IfHeader {
    const lists: IfList[] = [];
    let { path } = this.#context;
    const isTagged = this.#peek() === '<';
    while (this.#at < this.#field.length) {
      if (isTagged && this.#peek() === '<') {
        path = this.#context.pathOf(this.#until('<', '>'));
        this.#expect('(');
      }
      lists.push({ path, conditions: this.#list(path) });
    }
    return { lists, tokens: this.#tokens };
  }

  #list(path: string): Condition[] {
    const conditions: Condition[] = [];
    this.#expect('(');
    this.#at++;
    while (this.#peek() !== ')') {
      if (++this.#count > maxConditions) this.#fail();
      conditions.push(this.#condition(path));
    }
    this.#at++;
    this.#peek();
    if (conditions.length === 0) this.#fail();
    return conditions;
  }

  #condition(path: string): Condition {
    const negated = this.#peek() === 'N' || this.#peek() === 'n';
    if (negated) {
      if (!/^not[ \t<[]/i.test(this.#field.slice(this.#at, this.#at + 4))) this.#fail();
      this.#at += 3;
    }
    if (this.#peek() === '[') {
      const tag = this.#until('[', ']').trim();
      return { negated, value: tag !== '' && tag === this.#context.etagOf(path) };
    }
    const token = this.#until('<', '>');
    this.#tokens.push(token);
    return { negated, token };
  }

  /** Skips spaces and returns the next character, without consuming it. Empty at the end of the field. */
  #peek(): string {
    while (this.#field.charAt(this.#at) === ' ' || this.#field.charAt(this.#at) === '\t') this.#at++;
    return this.#field.charAt(this.#at);
  }

  #expect(character: string): void {
    if (this.#peek() !== character) this.#fail();
  }

  #until(open: string, close: string): string {
    this.#expect(open);
    const end = this.#field.indexOf(close, this.#at);
    if (end < 0) this.#fail();
    const text = this.#field.slice(this.#at + 1, end);
    this.#at = end + 1;
    return text;
  }

  #fail(): never {
    throw new HttpError(400, 'the If header field is malformed');
  }
}
