/** `file VALUE… { pem_file VALUE… }` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { readWords } from '../common/word-lists.ts';

/** Reads the list. */
export function readFile(reader: Dispenser): Json {
  return { pem_files: readWords(reader, 'pem_file') };
}
