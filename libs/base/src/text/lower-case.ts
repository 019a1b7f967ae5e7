/** Lower case as Go has it: character by character, without context. */

/**
 * Lower case of each character by itself. JavaScript differs for two characters only: the capital sigma, which it turns
 * into `ς` at the end of words, and the dotted capital I, which it makes two characters of.
 */
export function lowerCase(text: string): string {
  return /[Σİ]/.test(text) ? text.replaceAll('Σ', 'σ').replaceAll('İ', 'i').toLowerCase() : text.toLowerCase();
}
