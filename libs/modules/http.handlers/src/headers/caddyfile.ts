/** `header` and `request_header`. */
import {
  handlerDirective,
  moduleObject,
  readResponseMatcher,
  type ConfigValue,
  type DirectiveReader,
  type ResponseMatchers,
} from '@sluice/caddyfile';
import { canonicalHeaderName, type Json, type JsonObject } from '@sluice/base';
import { HeaderOperations } from './header-operations.ts';

/**
 * `header [matcher] [FIELD [VALUE [REPLACEMENT]]] { FIELD …; defer; match … }`: each operation that applies only if a field is
 * missing gets a handler of its own. Beside an operation on the first line, the block has `defer` and `match` only.
 */
export function header(reader: DirectiveReader): readonly ConfigValue[] {
  const match = reader.matcher();
  const builder = new ResponseHeaders();
  const isGiven = reader.nextArgument();
  if (isGiven) builder.read(reader.value, reader);
  for (const field of reader.block()) {
    if (field === 'defer') builder.deferred = true;
    else if (field === 'match') builder.readMatcher(reader);
    else if (isGiven) throw reader.error('cannot specify headers in both arguments and block');
    else builder.read(field, reader);
  }
  const handlers = builder.handlers(reader);
  return handlers.length === 0 ? [] : reader.route(match, ...handlers);
}

class ResponseHeaders {
  readonly #operations = new HeaderOperations(true);
  readonly #defaults: HeaderOperations[] = [];
  #require: JsonObject | null = null;
  deferred = false;

  read(field: string, reader: DirectiveReader): void {
    const target = field.startsWith('?') ? new HeaderOperations(true) : this.#operations;
    if (target !== this.#operations) this.#defaults.push(target);
    target.read(field, reader);
  }

  readMatcher(reader: DirectiveReader): void {
    const matchers: ResponseMatchers = new Map();
    readResponseMatcher(reader, matchers);
    this.#require = matchers.get('match') ?? null;
  }

  /** The handlers: first what is said of responses as they are, then what only holds where a field is missing. */
  handlers(reader: DirectiveReader): Json[] {
    const handlers: Json[] = [];
    const own = this.#operations.json();
    if (Object.keys(own).length > 0 || this.#require !== null || this.deferred)
      handlers.push(this.#handler(own, this.#require, this.#operations.deferred || this.deferred));
    for (const each of this.#defaults)
      handlers.push(this.#handler(each.json(), this.#without(each.absent, reader), each.deferred));
    return handlers;
  }

  /** What responses have to be like that do not have these fields. */
  #without(absent: readonly string[], reader: DirectiveReader): JsonObject {
    const missing = new Set(absent.map(canonicalHeaderName));
    const headers = Object.entries((this.#require?.['headers'] ?? {}) as JsonObject).filter(([name, values]) => {
      const field = canonicalHeaderName(name);
      if (!missing.has(field)) return true;
      if (values === null) return false;
      throw reader.error(`cannot match on response header ${field} and also set a default for it`);
    });
    return { ...this.#require, headers: Object.fromEntries([...headers, ...absent.map((name) => [name, null])]) };
  }

  #handler(operations: JsonObject, require: JsonObject | null, deferred: boolean): Json {
    const response = {
      ...operations,
      ...(require === null ? {} : { require }),
      ...(deferred ? { deferred } : {}),
    };
    return moduleObject('handler', 'headers', { response });
  }
}

/** `request_header [matcher] FIELD [VALUE [REPLACEMENT]] { FIELD … }` */
export const requestHeader = handlerDirective((reader) => {
  const operations = new HeaderOperations(false);
  if (reader.nextArgument()) {
    operations.read(reader.value, reader);
    reader.noArguments();
  } else if (reader.opensBlock) {
    for (const field of reader.block()) operations.read(field, reader);
  } else {
    throw reader.argumentError();
  }
  return moduleObject('handler', 'headers', { request: operations.json() });
});
