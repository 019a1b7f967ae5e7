/** `host WORD…` */
import type { Dispenser } from '@sluice/caddyfile';
import { wordsOf } from '../common/words.ts';

/** Reads the words. */
export function readHost(reader: Dispenser): readonly string[] | null {
  return wordsOf(reader, 'host');
}
