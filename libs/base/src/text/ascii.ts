/**
 * String operations that follow HTTP's rules: only ASCII letters have case, and only space and tab are whitespace (RFC 9110 §5.6).
 *
 * JavaScript's functions cover more characters. For example, `'\u212a'.toLowerCase()` is `k`, and `trim` removes no-break spaces. If a
 * token determines message framing, two different interpretations enable attacks.
 */

const space = 0x20;
const tab = 0x09;

/**
 * Converts ASCII uppercase letters to lowercase. Character positions stay the same, because callers search the result for a path but slice
 * the original.
 */
export function lowerAscii(text: string): string {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return lowerLetters(text);
  return text.toLowerCase();
}

function lowerLetters(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Compares a string with a token, ignoring ASCII case. The token must be in lowercase. */
export function isSameToken(text: string, token: string): boolean {
  return text === token || (text.length === token.length && lowerAscii(text) === token);
}

/** Removes leading and trailing spaces and tabs. */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** Parsed forms of list values that occur in nearly every message. */
const commonLists: ReadonlyMap<string, readonly string[]> = new Map(
  ['keep-alive', 'Keep-Alive', 'close', 'Close', 'upgrade', 'Upgrade'].map((list): [string, readonly string[]] => [
    list,
    [lowerAscii(list)],
  ]),
);

/** Splits a comma-separated list, such as the value of `Connection`, into lowercase tokens (RFC 9110 §5.6.1). */
export function listedTokens(list: string): readonly string[] {
  const common = commonLists.get(list);
  if (common !== undefined) return common;
  const tokens: string[] = [];
  for (const item of list.split(',')) {
    const token = trimBlanks(item);
    if (token !== '') tokens.push(lowerAscii(token));
  }
  return tokens;
}

function isBlank(code: number): boolean {
  return code === space || code === tab;
}
