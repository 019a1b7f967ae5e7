/** Result of the last search. */
const search = { end: 0 };

/**
 * Returns the same string in contiguous memory. V8 keeps a concatenated string as a tree until the string is searched. Long-lived,
 * frequently used strings should be flattened once.
 */
export function flat(text: string): string {
  // Reading the first character is not enough, because optimized code walks the tree for that.
  //
  // The result is stored so that V8 does not eliminate the search, and read so that a bundler does not.
  search.end = text.indexOf('\0', text.length - 1);
  return search.end === -2 ? '' : text;
}
