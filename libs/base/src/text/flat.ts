/** Texts that are put together of pieces, in one piece. */

/** Where the last search ended. */
const search = { end: 0 };

/**
 * The same text in one piece of memory. V8 keeps a text of several pieces as a tree until it is searched; one that is kept
 * and used often should be put together once.
 */
export function flat(text: string): string {
  // To read its first character is not enough: optimized code goes down the tree for it. What is found is stored, since
  // optimized code leaves out what has no effect, and read again, since a bundler leaves out what nothing reads.
  search.end = text.indexOf('\0', text.length - 1);
  return search.end === -2 ? '' : text;
}
