/** Matchers of responses: `@name status 404`, `@name { header A b; status 5xx }`. */
import { canonicalHeaderName, type Json, type JsonObject } from '@sluice/base';
import type { Dispenser } from '../dispenser/dispenser.ts';
import { asJson, compact } from '../json.ts';

/** Values of fields by name, one of which a response has to have; `null` for a field that it must not have, as it was written. */
type Fields = Map<string, readonly string[] | null>;

/** Reads the definition on whose name the cursor stands. */
export function readResponseMatcher(reader: Dispenser): JsonObject {
  const statuses: Json[] = [];
  const headers: Fields = new Map();
  const outer = reader.nesting;
  while (reader.nextArgument() || reader.nextInBlock(outer)) {
    const kind = reader.value;
    if (kind === 'header') readField(reader.segment(), headers);
    else if (kind === 'status') statuses.push(...readStatuses(reader));
    else throw reader.error(`unrecognized response matcher ${kind}`);
  }
  return compact({ status_code: statuses, headers: asJson(Object.fromEntries(headers)) });
}

function readField(reader: Dispenser, headers: Fields): void {
  reader.next();
  const words = reader.remaining();
  reader.nothingMore();
  const [field = '', value] = words;
  if (field.startsWith('!')) {
    if (words.length > 1)
      throw reader.error('malformed header matcher: null matching headers cannot have a field value');
    headers.set(field.slice(1), null);
    return;
  }
  if (value === undefined || words.length > 2) {
    throw reader.error('malformed header matcher: expected both field and value');
  }
  const name = canonicalHeaderName(field);
  headers.set(name, [...(headers.get(name) ?? []), value]);
}

function readStatuses(reader: Dispenser): number[] {
  const words = reader.arguments();
  return words.map((word) => {
    if (/^\dxx$/.test(word)) return Number(word[0]);
    if (/^[+-]?\d+$/.test(word)) return Number(word);
    throw reader.error(`bad status value '${word}': strconv.Atoi: parsing ${JSON.stringify(word)}: invalid syntax`);
  });
}
