/**
 * Texts of the wire, compared as HTTP compares them: only the letters of ASCII have cases, and only space and tab are blank
 * (RFC 9110 §5.6). JavaScript's own functions know more: `'\u212a'.toLowerCase()` is `k`, and `trim` takes no-break spaces.
 * Where a token decides how a message is framed, two readings of it are an attack.
 */

const space = 0x20;
const tab = 0x09;

/**
 * The text with the capitals of ASCII in lower case, all else as it is: every place in it is the same place in the
 * original, as paths are searched in this form and cut in the other.
 */
export function lowerAscii(text: string): string {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return lowerLetters(text);
  return text.toLowerCase();
}

function lowerLetters(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether a text is a token, which is given in lower case. */
export function isSameToken(text: string, token: string): boolean {
  return text === token || (text.length === token.length && lowerAscii(text) === token);
}

/** The text without the spaces and tabs around it. */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** Lists that nearly every message has. */
const commonLists: ReadonlyMap<string, readonly string[]> = new Map(
  ['keep-alive', 'Keep-Alive', 'close', 'Close', 'upgrade', 'Upgrade'].map((list): [string, readonly string[]] => [
    list,
    [lowerAscii(list)],
  ]),
);

/** The items of a list such as that of Connection (RFC 9110 §5.6.1), in lower case. */
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
