/**
 * Finds duplicate keys in JSON objects, because JSON parsers silently keep only the last one. The input must be valid JSON, because the
 * scanner does not validate it.
 */
import type { ConfigPath } from './path.ts';

export interface DuplicateKey {
  readonly path: ConfigPath;
  /** Line number of the second occurrence, starting at 1. */
  readonly line: number;
}

interface Level {
  /** Keys found so far in the current object. `null` for an array. */
  readonly keys: Set<string> | null;
  /** Current object key or array index. */
  at: string;
}

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:\n]/g;

/** Returns the duplicate keys in document order. */
export function duplicateKeys(text: string): DuplicateKey[] {
  const found: DuplicateKey[] = [];
  const levels: Level[] = [];
  let line = 1;
  /** Most recent string. The string is a key if a colon follows. */
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
