/** Computes the difference between two strings as a single replacement. The editor then preserves the cursor and the folds elsewhere. */

/** Replacement of a range in a string. */
interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Returns the replacement that turns the first string into the second, or `null` if they are equal. */
export function changeOf(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < shorter - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}
