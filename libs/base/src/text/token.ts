/** HTTP tokens, such as methods and header names (RFC 9110 §5.6.2). */

/** Lookup table indexed by character code. Contains 1 for each character that is allowed in a token. */
const tokenCharacters = new Uint8Array(128);
for (const character of "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
  tokenCharacters[character.charCodeAt(0)] = 1;
}

export function isToken(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (tokenCharacters[text.charCodeAt(i)] !== 1) return false;
  }
  return text !== '';
}

export function isTokenCode(code: number): boolean {
  return tokenCharacters[code] === 1;
}
