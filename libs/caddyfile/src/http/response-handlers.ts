/** `handle_response`, `replace_status` and `copy_response_headers`, which the reverse proxy and `intercept` share. */
import type { Json, JsonObject } from '@sluice/base';
import { asJson, defined } from '../json.ts';
import type { DirectiveReader } from './directive-reader.ts';
import { readResponseMatcher, responseMatcher, type ResponseMatchers } from './response-matchers.ts';
import { weakField } from '../scalars.ts';

/** Collects handlers of responses while the block of a directive is read. Those of blocks are read at its end. */
export class ResponseHandlers {
  readonly #matchers: ResponseMatchers = new Map();
  readonly #statuses: Json[] = [];
  readonly #blocks: DirectiveReader[] = [];

  /** Reads an option if it is one of these; false if not. */
  read(option: string, reader: DirectiveReader): boolean {
    if (option.startsWith('@')) readResponseMatcher(reader, this.#matchers);
    else if (option === 'replace_status') this.#statuses.push(this.#replaceStatus(reader.sub()));
    else if (option === 'handle_response') this.#blocks.push(reader.sub());
    else return false;
    return true;
  }

  #replaceStatus(reader: DirectiveReader): Json {
    reader.next();
    const words = reader.remaining();
    reader.nothingMore();
    if (words.length < 1 || words.length > 2)
      throw reader.error(`must have one or two arguments: an optional response matcher, and a status code`);
    const [first = '', second] = words;
    if (second === undefined) return weakField('status_code', first);
    if (!first.startsWith('@')) throw reader.error(`must use a named response matcher, starting with '@'`);
    return { match: responseMatcher(reader, first, this.#matchers), ...weakField('status_code', second) };
  }

  /** All that were read: those with a matcher first, then replaced statuses before blocks. */
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
    if (name !== undefined && !name.startsWith('@')) {
      throw reader.error(`must use a named response matcher, starting with '@'`);
    }
    const match = name === undefined ? undefined : responseMatcher(reader, name, this.#matchers);
    const routes = reader.routes(true);
    return defined({ match, routes: routes.length === 0 ? undefined : asJson(routes) });
  }
}

function hasMatcher(handler: Json): boolean {
  return (handler as JsonObject)['match'] !== undefined;
}
