/** Lower case of ASCII, for texts that are searched and cut. */

/**
 * The text with `A` to `Z` in lower case and all else as it is, so that every place in it is the same place in the
 * original: `toLowerCase` makes two characters of `\u0130`, and a `k` of the sign for kelvin.
 */
export function asciiLowerCase(text: string): string {
  return /[A-Z]/.test(text) ? text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}
