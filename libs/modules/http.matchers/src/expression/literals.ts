/** Looks at the texts in an expression for escapes that CEL does not have: the parser takes them as they stand. */

/** A comment; a text without escapes (`r'…'`); any other text. Texts in three quotes may have line ends. */
const tokens =
  /\/\/[^\n]*|(?<![\w])(?:[bB]?[rR]|[rR][bB])(?:"""[^]*?"""|'''[^]*?'''|"[^"\n]*"|'[^'\n]*')|(?<text>"""(?:[^\\]|\\[^])*?"""|'''(?:[^\\]|\\[^])*?'''|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')/g;
const escapes = /\\(?:[abfnrtv\\?"'`]|[xX][\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|[0-3][0-7]{2}|(?<unknown>[^]))/g;

/** Changes what is not in a text or a comment. */
export function outsideOfTexts(source: string, change: (part: string) => string): string {
  let result = '';
  let from = 0;
  for (const { 0: token, index } of source.matchAll(tokens)) {
    result += change(source.slice(from, index)) + token;
    from = index + token.length;
  }
  return result + change(source.slice(from));
}

/** The first escape that CEL does not have; `null` if there is none. */
export function unknownEscape(source: string): string | null {
  for (const { groups: token } of source.matchAll(tokens)) {
    for (const { groups: escape } of (token?.['text'] ?? '').matchAll(escapes)) {
      const unknown = escape?.['unknown'];
      if (unknown !== undefined) return `\\${unknown}`;
    }
  }
  return null;
}
