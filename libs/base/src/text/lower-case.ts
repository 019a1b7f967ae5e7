/**
 * Converts text to lowercase like Go: each character separately, regardless of its context. JavaScript differs for two characters. It
 * converts a final capital sigma to `ς`, and the dotted capital I to two characters.
 */
export function lowerCase(text: string): string {
  return /[Σİ]/.test(text) ? text.replaceAll('Σ', 'σ').replaceAll('İ', 'i').toLowerCase() : text.toLowerCase();
}
