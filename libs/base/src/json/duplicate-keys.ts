/**
 * Keys that stand twice in one object of a JSON text. Parsers take the last one and say nothing, so that half of what was
 * written is not there. Only for texts that are JSON: it is scanned, not checked.
 */
import type { ConfigPath } from './path.ts';

/** A key that stands twice. */
export interface DuplicateKey {
  /** Path of the key. */
  readonly path: ConfigPath;
  /** Line of its second appearance, from 1. */
  readonly line: number;
}

interface Level {
  /** Keys of an object so far; `null` for an array. */
  readonly keys: Set<string> | null;
  /** The key or the index that is being read. */
  at: string;
}

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:\n]/g;

/** Finds them, in the order of the text. */
export function duplicateKeys(text: string): DuplicateKey[] {
  const found: DuplicateKey[] = [];
  const levels: Level[] = [];
  let line = 1;
  /** The last text, which is a key if a colon follows. */
  let last = '';
  for (const [part] of text.matchAll(token)) {
    const level = levels.at(-1);
    if (part === '\n') line++;
    else if (part === '{') levels.push({ keys: new Set(), at: '' });
    else if (part === '[') levels.push({ keys: null, at: '0' });
    else if (part === '}' || part === ']') levels.pop();
    else if (part === ',' && level?.keys === null) level.at = String(Number(level.at) + 1);
    else if (part === ':' && level !== undefined && level.keys !== null) {
      level.at = JSON.parse(last) as string;
      if (level.keys.has(level.at)) found.push({ path: levels.map(({ at }) => at), line });
      level.keys.add(level.at);
    } else if (part.startsWith('"')) last = part;
  }
  return found;
}
