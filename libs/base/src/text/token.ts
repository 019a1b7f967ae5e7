/** Tokens of HTTP: method and field names, among others (RFC 9110 §5.6.2). */

/** 1 for each character code that a token may have. */
const tokenCharacters = new Uint8Array(128);
for (const character of "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
  tokenCharacters[character.charCodeAt(0)] = 1;
}

/** True for text that is a token: not empty, and each character one that tokens may have. */
export function isToken(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (tokenCharacters[text.charCodeAt(i)] !== 1) return false;
  }
  return text !== '';
}

/** True for a character code that tokens may have. */
export function isTokenCode(code: number): boolean {
  return tokenCharacters[code] === 1;
}
