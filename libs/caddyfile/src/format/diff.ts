/** Line diff of two strings. */

/**
 * Returns the lines of both strings, each with a prefix. `- ` marks lines only in the first string, and `+ ` marks lines only in the
 * second. Common lines have two spaces.
 */
export function diffLines(before: string, after: string): string {
  const a = linesOf(before);
  const b = linesOf(after);
  const common = commonLines(a, b);
  let result = '';
  let at = 0;
  let to = 0;
  for (const [left, right] of [...common, [a.length, b.length] as const]) {
    for (; at < left; at++) result += `- ${a[at]}\n`;
    for (; to < right; to++) result += `+ ${b[to]}\n`;
    if (left < a.length) result += `  ${a[left]}\n`;
    at = left + 1;
    to = right + 1;
  }
  return result;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Returns the line indexes of lines that both strings have in common, as pairs. The search has a bounded lookahead. */
function commonLines(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const ahead = 50;
  const pairs: (readonly [number, number])[] = [];
  let at = 0;
  let to = 0;
  while (at < a.length && to < b.length) {
    const found = nearestPair(a, b, [at, to], ahead);
    if (found === null) {
      at++;
      to++;
      continue;
    }
    pairs.push(found);
    [at, to] = [found[0] + 1, found[1] + 1];
  }
  return pairs;
}

function nearestPair(
  a: readonly string[],
  b: readonly string[],
  [at, to]: readonly [number, number],
  ahead: number,
): readonly [number, number] | null {
  for (let steps = 0; steps <= ahead; steps++) {
    for (let left = 0; left <= steps; left++) {
      const i = at + left;
      const j = to + steps - left;
      if (i < a.length && j < b.length && a[i] === b[j]) return [i, j];
    }
  }
  return null;
}
