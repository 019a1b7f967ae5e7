/** `{ replace NAME VALUE; hash NAME; delete NAME }` of filters that look into a field. */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json, JsonObject } from '@sluice/base';

/** Reads the actions; `key` is what the name is called. */
export function readActions(reader: Dispenser, key: string): Json {
  const actions: JsonObject[] = [];
  for (const type of reader.block()) {
    if (type !== 'replace' && type !== 'hash' && type !== 'delete') {
      throw reader.error(`unrecognized subdirective ${type}`);
    }
    const name = reader.argument();
    actions.push(type === 'replace' ? { type, [key]: name, value: reader.argument() } : { type, [key]: name });
  }
  return actions.length === 0 ? {} : { actions };
}
