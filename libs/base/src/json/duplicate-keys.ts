/**
 * Finds duplicate keys in JSON objects, because parsers silently keep only the last one. The text must be valid JSON, because it is
 * scanned, not parsed.
 */
import type { ConfigPath } from './path.ts';

export interface DuplicateKey {
  readonly path: ConfigPath;
  /** Line of the second occurrence, starting at 1. */
  readonly line: number;
}

interface Level {
  /** Keys of the current object; `null` in an array. */
  readonly keys: Set<string> | null;
  /** Current key or index. */
  at: string;
}

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:\n]/g;

/** Returns duplicates in document order. */
export function duplicateKeys(text: string): DuplicateKey[] {
  const found: DuplicateKey[] = [];
  const levels: Level[] = [];
  let line = 1;
  /** The last string. It is a key if a colon follows. */
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
