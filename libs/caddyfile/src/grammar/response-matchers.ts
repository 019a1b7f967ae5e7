/** Response matchers, such as `@name status 404` or `@name { header A b; status 5xx }`. */
import { canonicalHeaderName, isArray, type Json, type JsonObject } from '@sluice/base';
import type { Dispenser } from '../dispenser/dispenser.ts';
import { listAt, objectAt } from '../inverse/json-parts.ts';
import type { Line } from '../inverse/written.ts';
import { Draft } from './draft.ts';
import { note, type Term } from './term.ts';
import { list } from './values.ts';

/** Returns a header name as written, and one of the required values. `null` means that the header must be missing. */
function readField(reader: Dispenser): readonly [name: string, value: string | null] {
  reader.next();
  const words = reader.remaining();
  reader.nothingMore();
  const [field = '', value] = words;
  if (field.startsWith('!')) {
    if (words.length > 1)
      throw reader.error('malformed header matcher: null matching headers cannot have a field value');
    return [field.slice(1), null];
  }
  if (value === undefined || words.length > 2)
    throw reader.error('malformed header matcher: expected both field and value');
  return [canonicalHeaderName(field), value];
}

function headerLines(option: string, { headers }: JsonObject): Line[] {
  return Object.entries(objectAt(headers, [])).flatMap(([field, values]) => {
    const all = listAt(values, []);
    return all.length === 0
      ? [{ words: [option, `!${field}`] }]
      : all.map((value) => ({ words: [option, field, String(value)] }));
  });
}

function statusLines(option: string, { status_code: codes }: JsonObject): Line[] {
  const word = (code: Json): string => `${String(code)}${typeof code === 'number' && code < 10 ? 'xx' : ''}`;
  return isArray(codes) ? [{ words: [option, ...codes.map(word)] }] : [];
}

const header: Term = {
  ...note('<field> [<value>]', 'Response header field that must be present. `*` in the value matches any string.'),
  read(reader, draft) {
    const [name, value] = readField(reader.segment());
    const fields = objectAt(draft.get(['headers']), []);
    const known = Object.hasOwn(fields, name) && isArray(fields[name]) ? fields[name] : [];
    draft.put(
      ['headers'],
      Object.fromEntries([...Object.entries(fields), [name, value === null ? null : [...known, value]]]),
    );
  },
  write: headerLines,
};

const status: Term = {
  ...list('<code>…', {
    field: 'status_code',
    adds: true,
    help: 'Status codes, or status code classes such as `2xx`.',
    each(reader, word) {
      if (/^\dxx$/.test(word)) return Number(word[0]);
      if (/^[+-]?\d+$/.test(word)) return Number(word);
      throw reader.error(`bad status value '${word}': strconv.Atoi: parsing ${JSON.stringify(word)}: invalid syntax`);
    },
  }),
  write: statusLines,
};

/** Options of a response matcher. They occur in a block or on the same line after the name. */
export const responseMatcherOptions: Readonly<Record<string, Term>> = { header, status };

/** Parses the definition of a response matcher. The cursor must be on its name. */
export function readResponseMatcher(reader: Dispenser): JsonObject {
  const draft = new Draft();
  const outer = reader.nesting;
  while (reader.nextArgument() || reader.nextInBlock(outer)) {
    const { value: kind } = reader;
    const found = Object.hasOwn(responseMatcherOptions, kind) ? responseMatcherOptions[kind] : undefined;
    if (found === undefined) throw reader.error(`unrecognized response matcher ${kind}`);
    found.read(reader, draft, kind);
  }
  return draft.fields;
}

/** Returns the definition of a response matcher with a name, such as `match` or `@name`. */
export function responseMatcherLine(name: string, match: Json): Line {
  const fields = objectAt(match, []);
  return { words: [name], block: [...statusLines('status', fields), ...headerLines('header', fields)] };
}
