/** `inline { trust_der VALUE… }` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { readWords } from '../common/word-lists.ts';

/** Reads the list. */
export function readInline(reader: Dispenser): Json {
  reader.noArguments();
  return { trusted_ca_certs: readWords(reader, 'trust_der') };
}
