/** Replacement strings for regular expressions, in the syntax of Go's `Regexp.Expand`. */

/** A compiled replacement string, consisting of literal strings and group references. */
export type Replacement = readonly (string | GroupReference)[];

export interface GroupReference {
  /** Group number. -1 for a nonexistent group, which expands to an empty string. */
  readonly group: number;
}

/** Matches `$$`, `${name}` or `$name`. The name is the longest sequence of letters, digits and underscores. */
const reference = /\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu;

/**
 * Compiles a replacement string. `$1`, `${1}`, `$name`, and `${name}` refer to groups, and `$$` is a dollar sign.
 *
 * `$1x` refers to the group named `1x`. To insert group 1 before an `x`, write `${1}x`. Any other `$` is literal.
 */
export function compileReplacement(text: string, groupCount: number, names: ReadonlyMap<string, number>): Replacement {
  const parts: (string | GroupReference)[] = [];
  let end = 0;
  for (const match of text.matchAll(reference)) {
    const [whole, braced, bare] = match;
    if (match.index > end) parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    const name = braced ?? bare;
    parts.push(name === undefined ? '$' : { group: groupNumber(name, groupCount, names) });
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

function groupNumber(name: string, groupCount: number, names: ReadonlyMap<string, number>): number {
  if (!/^(?:0|[1-9]\d{0,7})$/.test(name)) return names.get(name) ?? -1;
  const group = Number(name);
  return group <= groupCount ? group : -1;
}

/** Expands a replacement string with the groups of one match. */
export function expandReplacement(replacement: Replacement, groups: readonly (string | undefined)[]): string {
  let text = '';
  for (const part of replacement) text += typeof part === 'string' ? part : (groups[part.group] ?? '');
  return text;
}
