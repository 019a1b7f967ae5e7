/** `{ replace NAME VALUE; hash NAME; delete NAME }` of filters that look into a field. */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json, JsonObject } from '@sluice/base';

/** Reads the actions; `key` is what the name is called. */
export function readActions(reader: Dispenser, key: string): Json {
  const actions: JsonObject[] = [];
  for (const type of reader.block()) {
    if (type !== 'replace' && type !== 'hash' && type !== 'delete') {
      throw reader.error(`unrecognized subdirective ${type}`);
    }
    const name = reader.argument();
    actions.push({ type, [key]: name, ...compact({ value: type === 'replace' ? reader.argument() : '' }) });
  }
  return { actions: actions.length === 0 ? null : actions };
}
