/** `net ADDRESS { dial_timeout TIME; soft_start }` */
import { compact, readDuration, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the address. */
export function readNet(reader: Dispenser): Json {
  const fields: Record<string, Json> = { address: reader.onlyArgument() };
  for (const option of reader.block()) {
    if (option === 'dial_timeout') {
      fields['dial_timeout'] = readDuration(reader, reader.onlyArgument(), option);
    } else if (option === 'soft_start') {
      reader.noArguments();
      fields['soft_start'] = true;
    } else {
      throw reader.error(`unrecognized subdirective '${option}'`);
    }
  }
  return compact(fields);
}
