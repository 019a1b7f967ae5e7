/** `internal { ca ID; lifetime TIME; sign_with_root }` */
import { compact, readDuration, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the options. */
export function readInternal(reader: Dispenser): Json {
  const fields: Record<string, Json> = {};
  for (const option of reader.block()) {
    if (option === 'ca') {
      fields['ca'] = reader.onlyArgument();
    } else if (option === 'lifetime') {
      fields['lifetime'] = readDuration(reader, reader.argument(), option);
    } else if (option === 'sign_with_root') {
      reader.noArguments();
      fields['sign_with_root'] = true;
    } else {
      throw reader.error(`unrecognized subdirective '${option}'`);
    }
  }
  return compact(fields);
}
