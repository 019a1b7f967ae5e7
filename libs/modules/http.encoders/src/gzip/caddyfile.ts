/** `gzip [LEVEL]` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import { SluiceError, type Json } from '@sluice/base';

/** Reads the level. */
export function readGzip(reader: Dispenser): Json {
  if (!reader.nextArgument()) return {};
  const text = reader.value;
  if (!/^[+-]?\d+$/.test(text))
    throw new SluiceError('ERR_VALUE', `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return compact({ level: Number(text) });
}
