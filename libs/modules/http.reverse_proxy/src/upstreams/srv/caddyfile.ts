/** `srv [NAME] { service …; proto …; name …; refresh …; grace_period …; resolvers …; … }` */
import { compact, readDuration, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

const times = ['refresh', 'dial_timeout', 'dial_fallback_delay', 'grace_period'];
const texts = ['service', 'proto', 'name'];

/** Reads the options. */
export function readSrv(reader: Dispenser): Json {
  const words = reader.remaining();
  if (words.length > 1) throw reader.argumentError();
  const fields: Record<string, Json> = { name: words[0] ?? '' };
  for (const option of reader.block()) {
    if (texts.includes(option)) {
      const value = reader.argument();
      if ((fields[option] ?? '') !== '') throw reader.error(`srv ${option} has already been specified`);
      fields[option] = value;
    } else if (times.includes(option)) {
      fields[option] = readDuration(reader, reader.argument(), option);
    } else if (option === 'resolvers') {
      const addresses = reader.remaining();
      if (addresses.length === 0) throw reader.error('must specify at least one resolver address');
      fields['resolver'] = { addresses };
    } else {
      throw reader.error(`unrecognized srv option '${option}'`);
    }
  }
  return compact(fields);
}
