/** Names and definitions of matchers. The definitions precede the other lines of a site. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import type { Line } from '../inverse/written.ts';

export class MatcherNames {
  readonly #names = new Map<string, string>();
  readonly #definitions = new Map<string, Line>();

  /** Returns the name of an identical matcher set. Returns `null` if there is none. */
  nameOf(set: JsonObject): string | null {
    return this.#names.get(JSON.stringify(set)) ?? null;
  }

  /** Assigns a name to a matcher set. Uses a name stored in the set's options, or derives one from the set's matchers. */
  take(set: JsonObject, block: readonly Line[]): string {
    const base = askedName(set) ?? (Object.keys(set)[0] ?? 'matcher').replaceAll(/\W/g, '_');
    let name = `@${base}`;
    for (let number = 2; this.#definitions.has(name); number++) name = `@${base}${number}`;
    this.#names.set(JSON.stringify(set), name);
    const [first] = block;
    const alone = block.length === 1 && first !== undefined && first.comment === undefined;
    this.#definitions.set(name, alone ? { ...first, words: [name, ...first.words] } : { words: [name], block });
    return name;
  }

  /** Returns the definitions of the matcher names that appear in the lines. */
  usedBy(lines: readonly Line[]): readonly Line[] {
    const used = new Set<string>();
    collect(lines, used);
    return [...this.#definitions].filter(([name]) => used.has(name)).map(([, definition]) => definition);
  }
}

function collect(lines: readonly Line[], used: Set<string>): void {
  for (const { words, block } of lines) {
    for (const word of words) if (word.startsWith('@')) used.add(word);
    if (block !== undefined) collect(block, used);
  }
}

/** Returns the matcher name stored in a regular expression or CEL expression. Returns `null` if there is none. */
function askedName(value: Json): string | null {
  if (isArray(value)) return firstName(value);
  if (!isObject(value)) return null;
  const { name } = value;
  if (typeof name === 'string' && ('pattern' in value || 'expr' in value)) return name;
  return firstName(Object.values(value));
}

function firstName(values: readonly Json[]): string | null {
  for (const each of values) {
    const name = askedName(each);
    if (name !== null && /^[\w.-]+$/.test(name)) return name;
  }
  return null;
}
