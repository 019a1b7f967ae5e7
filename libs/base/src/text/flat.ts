/** Result of the most recent search in {@link flat}. */
const search = { end: 0 };

/**
 * Returns the same string in contiguous memory. V8 stores a concatenated string as a tree until the string is searched. Call this function
 * once for each long-lived, frequently used string.
 */
export function flat(text: string): string {
  // Search the string. Reading its first character is not sufficient, because optimized code walks the tree without flattening it.
  //
  // Store the result so that V8 does not eliminate the search. Read the result so that a bundler does not remove it.
  search.end = text.indexOf('\0', text.length - 1);
  return search.end === -2 ? '' : text;
}
