/**
 * String operations with the rules of HTTP: only ASCII letters have case, and only space and tab are whitespace (RFC
 * 9110 §5.6).
 *
 * JavaScript's functions go further: `'\u212a'.toLowerCase()` is `k`, and `trim` removes no-break spaces. If a token
 * determines message framing, two interpretations enable attacks.
 */

const space = 0x20;
const tab = 0x09;

/**
 * Converts ASCII capitals to lower case. Character positions don't change: paths are searched in the result and cut in
 * the original.
 */
export function lowerAscii(text: string): string {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return lowerLetters(text);
  return text.toLowerCase();
}

function lowerLetters(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Compares a string with a token, ignoring case. The token must be in lower case. */
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

/** Parsed forms of lists that occur in nearly every message. */
const commonLists: ReadonlyMap<string, readonly string[]> = new Map(
  ['keep-alive', 'Keep-Alive', 'close', 'Close', 'upgrade', 'Upgrade'].map((list): [string, readonly string[]] => [
    list,
    [lowerAscii(list)],
  ]),
);

/** Splits a list such as the value of Connection (RFC 9110 §5.6.1), in lower case. */
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
