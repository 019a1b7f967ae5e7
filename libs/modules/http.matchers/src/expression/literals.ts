/** Detects unsupported escapes in string literals, because the CEL parser accepts them verbatim. */

/** Matches a comment, a raw string (`r'…'`), or any other string. Triple-quoted strings may contain line breaks. */
const tokens =
  /\/\/[^\n]*|(?<![\w])(?:[bB]?[rR]|[rR][bB])(?:"""[^]*?"""|'''[^]*?'''|"[^"\n]*"|'[^'\n]*')|(?<text>"""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')/g;
const escapes = /\\(?:[abfnrtv\\?"'`]|[xX][\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|[0-3][0-7]{2}|(?<unknown>[^]))/g;

/** Applies a function to the source outside strings and comments. */
export function outsideOfTexts(source: string, change: (part: string) => string): string {
  let result = '';
  let from = 0;
  for (const { 0: token, index } of source.matchAll(tokens)) {
    result += change(source.slice(from, index)) + token;
    from = index + token.length;
  }
  return result + change(source.slice(from));
}

/** Returns the first escape that CEL doesn't support, or `null` if there is none. */
export function unknownEscape(source: string): string | null {
  for (const { groups: token } of source.matchAll(tokens)) {
    for (const { groups: escape } of (token?.['text'] ?? '').matchAll(escapes)) {
      const unknown = escape?.['unknown'];
      if (unknown !== undefined) return `\\${unknown}`;
    }
  }
  return null;
}
