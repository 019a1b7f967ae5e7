/** Pools whose options are a list of words: on the line, or by lines of a block. */
import type { Dispenser } from '@sluice/caddyfile';

/** Reads the words on the line, and those after `option` in the block. There has to be one. */
export function readWords(reader: Dispenser, option: string): string[] {
  const words = reader.remaining();
  for (const each of reader.block()) {
    if (each !== option) throw reader.error(`unrecognized directive: ${each}`);
    words.push(...reader.arguments());
  }
  if (words.length === 0) throw reader.error(`no ${option === 'authority' ? 'authorities' : option} specified`);
  return words;
}
