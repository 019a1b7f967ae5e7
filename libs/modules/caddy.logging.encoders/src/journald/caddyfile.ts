/** `journald { wrap ENCODER … }` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { readWrapped } from '../common/encoder-syntax.ts';

/** Reads the encoder within. */
export function readJournald(reader: Dispenser): Json {
  let wrap: Json | undefined;
  reader.noArguments();
  for (const option of reader.block()) {
    if (option !== 'wrap') throw reader.error(`unrecognized subdirective ${option}`);
    wrap = readWrapped(reader);
  }
  return compact({ wrap });
}
