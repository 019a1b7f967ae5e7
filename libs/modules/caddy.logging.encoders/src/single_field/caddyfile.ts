/** `single_field FIELD { fallback ENCODER … }` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the field. */
export function readSingleField(reader: Dispenser): Json {
  const field = reader.onlyArgument();
  let fallback: Json | undefined;
  for (const option of reader.block()) {
    if (option !== 'fallback') throw reader.error(`unrecognized subdirective ${option}`);
    const name = reader.argument();
    const options = reader.module(`caddy.logging.encoders.${name}`) as Record<string, Json>;
    fallback = { ...options, format: name };
  }
  return compact({ field, fallback });
}
