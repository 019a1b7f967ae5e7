/** Matchers of the Caddyfile whose options are words of all their lines. */
import { isArray, isObject, type Json } from '@sluice/base';
import { compact, expandRanges, syntax, words, type Dispenser, type Grammar, type Syntax } from '@sluice/caddyfile';

/** Declares a matcher whose options are a list. Without words, they are `null`, as in Caddy. */
export function wordList(name: string, grammar: Grammar): Syntax {
  return syntax(grammar, {
    read(reader) {
      const found = wordsOf(reader, name);
      return found.length === 0 ? null : found;
    },
    write: (options) => (isArray(options) || typeof options === 'string' ? [{ words: words(options) }] : null),
  });
}

/** Declares a matcher of IP ranges. `check` rejects words. */
export function ranges(
  name: string,
  grammar: Grammar,
  check?: (words: readonly string[], reader: Dispenser) => void,
): Syntax {
  return syntax(grammar, {
    read(reader): Json {
      return compact({ ranges: expandRanges(wordsOf(reader, name, check)) });
    },
    write: (options) => (isObject(options) ? [{ words: words(options['ranges']) }] : null),
  });
}

function wordsOf(
  reader: Dispenser,
  name: string,
  check?: (words: readonly string[], reader: Dispenser) => void,
): string[] {
  const all: string[] = [];
  eachLine(reader, () => {
    const found = reader.remaining();
    check?.(found, reader);
    all.push(...found);
    refuseBlock(reader, name);
  });
  return all;
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
