/** Matchers of the Caddyfile whose options are the words of all their lines. */
import type { Dispenser } from '@sluice/caddyfile';

/** The words; `null` where there are none, as the reference writes an empty list. A block is an error. */
export function wordsOf(reader: Dispenser, name: string): readonly string[] | null {
  const words: string[] = [];
  eachLine(reader, () => {
    words.push(...reader.remaining());
    refuseBlock(reader, name);
  });
  return words.length === 0 ? null : words;
}

/** Runs `read` for each line of a matcher; the cursor stands on its name. */
export function eachLine(reader: Dispenser, read: () => void): void {
  do read();
  while (reader.next());
}

/** Refuses a block that is not empty. */
export function refuseBlock(reader: Dispenser, name: string): void {
  if (!reader.nextInBlock(reader.nesting)) return;
  throw reader.error(`malformed ${name} matcher: blocks are not supported`);
}
