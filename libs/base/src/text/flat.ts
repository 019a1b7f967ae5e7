/** Texts that are put together of pieces, in one piece. */

/**
 * The same text in one piece of memory. V8 keeps a text of several pieces as a tree until a character is read; one
 * that is kept and used often should be put together once.
 */
export function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}
