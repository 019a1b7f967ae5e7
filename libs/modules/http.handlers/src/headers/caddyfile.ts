/** `header` and `request_header`. */
import { canonicalHeaderName, isObject, type Json, type JsonObject } from '@sluice/base';
import {
  Draft,
  flag,
  handler,
  moduleObject,
  note,
  objectAt,
  readBlock,
  responseMatch,
  responseMatcherLine,
  words,
  type ConfigValue,
  type DirectiveReader,
  type Line,
  type Written,
} from '@sluice/caddyfile';
import { HeaderOperations, operationLines } from './header-operations.ts';

const block = {
  '<field>': note(
    '[<value> [<replacement>]]',
    'Operation, in the same syntax as on the directive line. Can be repeated.',
  ),
  defer: flag({ field: 'deferred', takes: 'lax', help: 'Applies the operations when the response is written.' }),
  match: responseMatch('Applies the operations only to matching responses.'),
};

/** Parses the `header` directive. Each operation that applies only to missing headers becomes a separate handler. */
function readHeader(reader: DirectiveReader): readonly ConfigValue[] {
  const match = reader.matcher();
  const operations = new HeaderOperations(true);
  const defaults: HeaderOperations[] = [];
  const read = (field: string): void => {
    const target = field.startsWith('?') ? new HeaderOperations(true) : operations;
    if (target !== operations) defaults.push(target);
    target.read(field, reader);
  };
  const isGiven = reader.nextArgument();
  if (isGiven) read(reader.value);
  const draft = new Draft();
  const others = note('', '');
  readBlock(reader, draft, {
    block: { defer: block.defer, match: block.match },
    others: {
      ...others,
      read(_reader, _draft, field) {
        if (isGiven) throw reader.error('cannot specify headers in both arguments and block');
        read(field);
      },
    },
  });
  const { deferred, match: found } = draft.fields;
  const made = (own: JsonObject, require: Json | undefined, late: boolean): Json => {
    const response = { ...own, ...(require === undefined ? {} : { require }), ...(late ? { deferred: true } : {}) };
    return moduleObject('handler', 'headers', { response });
  };
  const own = operations.json();
  const first = { ...own, ...draft.fields };
  const handlers = Object.keys(first).length === 0 ? [] : [made(own, found, operations.deferred || deferred === true)];
  for (const each of defaults)
    handlers.push(made(each.json(), without(each.absent, objectAt(found, []), reader), each.deferred));
  return handlers.length === 0 ? [] : reader.route(match, ...handlers);
}

/** Returns a matcher for responses that don't contain the given headers. */
function without(absent: readonly string[], require: JsonObject, reader: DirectiveReader): JsonObject {
  const missing = new Set(absent.map(canonicalHeaderName));
  const headers = Object.entries(objectAt(require, ['headers'])).filter(([name, values]) => {
    const field = canonicalHeaderName(name);
    if (!missing.has(field)) return true;
    if (values === null) return false;
    throw reader.error(`cannot match on response header ${field} and also set a default for it`);
  });
  return { ...require, headers: Object.fromEntries([...headers, ...absent.map((name) => [name, null])]) };
}

/** Returns lines that set default values for missing response headers. Returns `null` if the matcher has a different form. */
function defaultLines(operations: JsonObject, require: Json | undefined): Line[] | null {
  const { headers, status_code: statuses } = objectAt(require, []);
  if (!isObject(headers) || statuses !== undefined) return null;
  if (!Object.values(headers).every((value) => value === null)) return null;
  return Object.entries(objectAt(operations, ['set'])).map(([field, values]) => {
    const name = Object.keys(headers).find((each) => each.toLowerCase() === field.toLowerCase()) ?? field;
    return { words: [`?${name}`, ...words(values)] };
  });
}

function joined(lines: readonly Line[]): Written {
  const [only] = lines;
  return lines.length === 1 && only?.block === undefined ? { words: only?.words ?? [] } : { block: lines };
}

export const header = handler(
  'headers',
  {
    shown: ['[[+|-|?|>]<field> [<value> [<replacement>]]]'],
    help: 'Changes response header fields. A plain name sets a field, `+` adds a value, and `-` deletes the field. `?` sets the field if it is missing, and `>` sets it when the response is written. If a replacement is given, the value is a regular expression for the text to replace.',
    block,
    example:
      'header {\n\tStrict-Transport-Security max-age=31536000\n\t-Server\n\t?Cache-Control max-age=60\n}\nheader /old Location http:// https://',
  },
  {
    directive: readHeader,
    write({ response, request }) {
      if (!isObject(response) || request !== undefined) return null;
      const { require, deferred, ...operations } = response;
      const defaults = defaultLines(operations, require);
      if (defaults !== null) return joined(defaults);
      const lines = operationLines(operations);
      if (require !== undefined) lines.push(responseMatcherLine('match', require));
      const late = deferred === true && operations['delete'] === undefined;
      return joined(late ? [...lines, { words: ['defer'] }] : lines);
    },
  },
);

export const requestHeader = handler(
  'headers',
  {
    shown: ['[+|-]<field> [<value> [<replacement>]]'],
    help: 'Changes request header fields. A plain name sets a field, `+` adds a value, and `-` deletes the field. If a replacement is given, the value is a regular expression for the text to replace.',
    example: 'request_header X-Real-IP {remote_host}\nrequest_header -Cookie\nreverse_proxy localhost:9000',
  },
  {
    read(reader) {
      const operations = new HeaderOperations(false);
      if (reader.nextArgument()) {
        operations.read(reader.value, reader);
        reader.noArguments();
      } else if (reader.opensBlock) {
        for (const field of reader.block()) operations.read(field, reader);
      } else throw reader.argumentError();
      return { request: operations.json() };
    },
    write: ({ request, response }) =>
      isObject(request) && response === undefined ? joined(operationLines(request)) : null,
  },
);
