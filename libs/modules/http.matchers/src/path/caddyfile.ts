/** `path PATH…` */
import type { Dispenser } from '@sluice/caddyfile';
import { wordsOf } from '../common/words.ts';

/** Reads the paths. */
export function readPath(reader: Dispenser): readonly string[] | null {
  return wordsOf(reader, 'path');
}
