/** The options `handle_response`, `replace_status`, and `copy_response_headers`, which the reverse proxy and `intercept` share. */
import type { Json, JsonObject } from '@sluice/base';
import { asJson, defined } from '../json.ts';
import type { DirectiveReader } from '../http/directive-reader.ts';
import { readResponseMatcher } from './response-matchers.ts';
import { weakField } from '../scalars.ts';

/** Collects response handlers while a directive's block is parsed. Parses their nested blocks at the end of the directive's block. */
export class ResponseHandlers {
  readonly #matchers = new Map<string, JsonObject>();
  readonly #statuses: Json[] = [];
  readonly #blocks: DirectiveReader[] = [];

  /** Parses a response option. Returns false if the option is not a response option. */
  read(option: string, reader: DirectiveReader): boolean {
    if (option.startsWith('@')) this.#define(option, reader);
    else if (option === 'replace_status') this.#statuses.push(this.#replaceStatus(reader.sub()));
    else if (option === 'handle_response') this.#blocks.push(reader.sub());
    else return false;
    return true;
  }

  #define(name: string, reader: DirectiveReader): void {
    if (this.#matchers.has(name)) throw reader.error(`matcher is defined more than once: ${name}`);
    this.#matchers.set(name, readResponseMatcher(reader));
  }

  /** Returns the response matcher with the given name. */
  #matcher(name: string, reader: DirectiveReader): JsonObject {
    if (!name.startsWith('@')) throw reader.error(`must use a named response matcher, starting with '@'`);
    const found = this.#matchers.get(name);
    if (found === undefined) throw reader.error(`no named response matcher defined with name '${name.slice(1)}'`);
    return found;
  }

  #replaceStatus(reader: DirectiveReader): Json {
    reader.next();
    const words = reader.remaining();
    reader.nothingMore();
    if (words.length < 1 || words.length > 2)
      throw reader.error(`must have one or two arguments: an optional response matcher, and a status code`);
    const [first = '', second] = words;
    if (second === undefined) return weakField('status_code', first);
    return { match: this.#matcher(first, reader), ...weakField('status_code', second) };
  }

  /** Returns all response handlers. Handlers with a matcher come first, and status replacements come before blocks. */
  finish(): Json[] {
    const all = [...this.#statuses, ...this.#blocks.map((reader) => this.#handleResponse(reader))];
    return [...all.filter(hasMatcher), ...all.filter((each) => !hasMatcher(each))];
  }

  #handleResponse(reader: DirectiveReader): JsonObject {
    reader.next();
    const words = reader.remaining();
    if (words.length > 1) {
      throw reader.error(
        `too many arguments for 'handle_response': only a single response matcher name is allowed, but got: [${words.join(' ')}]`,
      );
    }
    const [name] = words;
    const match = name === undefined ? undefined : this.#matcher(name, reader);
    const routes = reader.routes(true);
    return defined({ match, routes: routes.length === 0 ? undefined : asJson(routes) });
  }
}

function hasMatcher(handler: Json): boolean {
  return (handler as JsonObject)['match'] !== undefined;
}
