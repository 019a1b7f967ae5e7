/** `header` and `request_header`. */
import { canonicalHeaderName, isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import {
  type ConfigValue,
  type DirectiveReader,
  handler,
  handlerDirective,
  type Line,
  moduleObject,
  note,
  objectAt,
  readResponseMatcher,
  responseMatcherLine,
  type ResponseMatchers,
  words,
  type WriteDirective,
  type Written,
} from '@sluice/caddyfile';
import { HeaderOperations } from './header-operations.ts';

/**
 * `header [matcher] [FIELD [VALUE [REPLACEMENT]]] { FIELD …; defer; match … }`: each operation that applies only if a field is
 * missing gets a handler of its own. Beside an operation on the first line, the block has `defer` and `match` only.
 */
function readHeader(reader: DirectiveReader): readonly ConfigValue[] {
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
const readRequestHeader = handlerDirective((reader) => {
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

/** `header FIELD VALUE`, or a block where there are several. */
const writeHeader: WriteDirective = ({ response, request }) => {
  if (!isObject(response) || request !== undefined) return null;
  const { require, deferred, ...operations } = response;
  if (isDefault(require)) return joined(defaultLines(operations, require));
  const lines = operationLines(operations);
  if (require !== undefined) lines.push(responseMatcherLine('match', require));
  const late = deferred === true && operations['delete'] === undefined;
  return joined(late ? [...lines, { words: ['defer'] }] : lines);
};

/** `request_header FIELD VALUE` */
const writeRequestHeader: WriteDirective = ({ request, response }) =>
  isObject(request) && response === undefined ? joined(operationLines(request)) : null;

/** Fields that are set only where a response has none of that name. */
function isDefault(require: Json | undefined): boolean {
  const { headers, status_code: statuses } = isObject(require) ? require : {};
  if (!isObject(headers) || statuses !== undefined) return false;
  return Object.values(headers).every((value) => value === null);
}

/** Values for fields that a response does not have, under the names that it is asked for. */
function defaultLines(operations: JsonObject, require: Json | undefined): Line[] {
  const asked = objectAt(require, ['headers']);
  return Object.entries(objectAt(operations, ['set'])).map(([field, values]) => {
    const name = Object.keys(asked).find((each) => each.toLowerCase() === field.toLowerCase()) ?? field;
    return { words: [`?${name}`, ...words(values)] };
  });
}

function joined(lines: readonly Line[]): Written {
  const [only] = lines;
  return lines.length === 1 && only?.block === undefined ? { words: only?.words ?? [] } : { block: lines };
}

/** A line for each operation. */
export function operationLines({ add, set, delete: removed, replace }: JsonObject): Line[] {
  const lines: Line[] = [];
  for (const [field, values] of fieldsOf(add)) {
    for (const value of words(values)) lines.push({ words: [`+${field}`, value] });
  }
  for (const [field, values] of fieldsOf(set)) lines.push({ words: [field, ...words(values)] });
  for (const field of words(removed)) lines.push({ words: [`-${field}`] });
  for (const [field, values] of fieldsOf(replace)) {
    for (const each of isArray(values) ? values : []) {
      const { search_regexp: find = '', replace: to = '' } = isObject(each) ? each : {};
      lines.push({ words: [field, ...words(find), ...words(to)] });
    }
  }
  return lines;
}

function fieldsOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isObject(value) ? Object.entries(value) : [];
}

export const header = handler(
  'headers',
  {
    shown: ['[[+|-|?|>]<field> [<value> [<replacement>]]]'],
    help: 'Changes response header fields: a plain name sets, `+` adds, `-` deletes, `?` sets if missing, `>` sets when the response is written. With a replacement, the value is a regular expression that finds the text to replace.',
    block: {
      '<field>': note('[<value> [<replacement>]]', 'Any number of operations, in the syntax of the directive line.'),
      defer: note('', 'Applies the operations when the response is written.'),
      match: note('[header <field> [<value>]|status <code>…]', 'Applies the operations only if the response matches.'),
    },
    example:
      'header {\n\tStrict-Transport-Security max-age=31536000\n\t-Server\n\t?Cache-Control max-age=60\n}\nheader /old Location http:// https://',
  },
  { directive: readHeader, write: writeHeader },
);

export const requestHeader = handler(
  'headers',
  {
    shown: ['[+|-]<field> [<value> [<replacement>]]'],
    help: 'Changes request header fields: a plain name sets, `+` adds, `-` deletes. With a replacement, the value is a regular expression that finds the text to replace.',
    example: 'request_header X-Real-IP {remote_host}\nrequest_header -Cookie\nreverse_proxy localhost:9000',
  },
  { directive: readRequestHeader, write: writeRequestHeader },
);
