/** Options of the Caddyfile that encoders of entries share. */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

const texts = [
  'message_key',
  'level_key',
  'time_key',
  'name_key',
  'caller_key',
  'stacktrace_key',
  'line_ending',
  'time_format',
  'duration_format',
  'level_format',
];

/** `json { … }`, `console { … }` */
export function readEncoder(reader: Dispenser): Json {
  const fields: Record<string, Json> = {};
  reader.noArguments();
  for (const option of reader.block()) {
    if (option === 'time_local') {
      reader.noArguments();
      fields['time_local'] = true;
    } else if (texts.includes(option)) {
      fields[option] = reader.onlyArgument();
    } else {
      throw reader.argumentError();
    }
  }
  return compact(fields);
}

/** The encoder after `wrap`. */
export function readWrapped(reader: Dispenser): Json {
  const name = reader.argument();
  const options = reader.module(`caddy.logging.encoders.${name}`) as Record<string, Json>;
  return { ...options, format: name };
}
