/** `filter { wrap ENCODER …; fields { FIELD FILTER … }; FIELD FILTER … }` */
import { compact, dictionary, moduleObject, type Dispenser } from '@sluice/caddyfile';
import type { Json, JsonObject } from '@sluice/base';
import { readWrapped } from '../common/encoder-syntax.ts';

/** Reads the filters of fields. Several of regular expressions for one field become one. */
export function readFilter(reader: Dispenser): Json {
  const fields = dictionary();
  let wrap: Json | undefined;
  for (const option of reader.block()) {
    if (option === 'fields') for (const field of reader.block()) readField(field, fields, reader);
    else if (option === 'wrap') wrap = readWrapped(reader);
    else readField(option, fields, reader);
  }
  return compact({ wrap, fields });
}

function readField(field: string, fields: Record<string, Json>, reader: Dispenser): void {
  const name = reader.argument();
  const options = reader.module(`caddy.logging.encoders.filter.${name}`);
  const filter = moduleObject('filter', name, options);
  const known = Object.hasOwn(fields, field) ? (fields[field] as JsonObject) : null;
  const both = known === null ? filter : joined(known, filter);
  if (both === null)
    throw reader.error(`field ${field} already has a filter; multiple non-regexp filters per field are not supported`);
  fields[field] = both;
}

/** Two filters of a field as one; `null` where they cannot be one. */
function joined(known: JsonObject, added: JsonObject): JsonObject | null {
  const { filter: kind, ...operation } = added;
  if (kind !== 'regexp') return null;
  if (known['filter'] === 'multi_regexp') {
    return { ...known, operations: [...(known['operations'] as readonly Json[]), operation] };
  }
  if (known['filter'] !== 'regexp') return null;
  const { filter: _kind, ...first } = known;
  return moduleObject('filter', 'multi_regexp', { operations: [first, operation] });
}
