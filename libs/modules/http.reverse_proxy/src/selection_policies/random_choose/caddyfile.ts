/** `random_choose COUNT` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the count. */
export function readRandomChoose(reader: Dispenser): Json {
  const text = reader.argument();
  if (!/^[+-]?\d+$/.test(text)) {
    throw reader.error(`invalid choice value '${text}': strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return { choose: Number(text) };
}
