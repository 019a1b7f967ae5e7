/** `pki_intermediate VALUE… { authority VALUE… }` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { readWords } from '../common/word-lists.ts';

/** Reads the list. */
export function readPkiIntermediate(reader: Dispenser): Json {
  return { authority: readWords(reader, 'authority') };
}
