/**
 * Path patterns with escapes: `/a%2F*` matches the path as sent. An escape in the pattern matches only the same escape. Any other character
 * matches itself, escaped or not. `*` doesn't match unescaped slashes. `*` matches an escaped slash only directly after an escape: `/a%2F*`
 * matches `/a%2F%2Fb`. `%*` stops only at an unescaped slash.
 */
import { cleanRequestPath, compileRegExp, decodeBytes, lowerCase } from '@sluice/base';

export type EscapedTest = (rawPath: string) => boolean;

/**
 * Compiles a pattern with escapes. Each path character becomes two characters. The first one indicates whether the character was escaped.
 * As in Caddy, a character class next to an escape never matches.
 */
export function compileEscaped(pattern: string): EscapedTest {
  const source = pattern.includes('[') ? null : sourceOf(lowerCase(decodeUnicode(pattern)));
  if (source === null) return () => false;
  const expression = compileRegExp(`(?s)^${source}$`);
  const mergeSlashes = !pattern.includes('//');
  const dots = !/%2e/i.test(pattern);
  return (rawPath) => {
    const path = dots ? rawPath.replaceAll(/%2e/gi, '.') : rawPath;
    return expression.test(pairs(cleanRequestPath(path, mergeSlashes)));
  };
}

/** Decodes escaped non-ASCII characters. Paths always contain them in escaped form. */
function decodeUnicode(text: string): string {
  return text.replaceAll(/(?:%[89a-f][\da-f])+/gi, (escapes) =>
    decodeBytes(Buffer.from(escapes.replaceAll('%', ''), 'hex')),
  );
}

const plainFlag = '-';
const escapedFlag = '%';

function pairs(rawPath: string): string {
  let text = '';
  for (const [, hex, plain] of decodeUnicode(rawPath).matchAll(/%([\da-f]{2})|([^])/giu)) {
    text +=
      hex === undefined
        ? plainFlag + lowerCase(plain ?? '')
        : escapedFlag + String.fromCharCode(Number.parseInt(hex, 16));
  }
  return text;
}

/** Returns the regular expression for a lower-case pattern, or `null` if the pattern never matches. */
function sourceOf(pattern: string): string | null {
  let source = '';
  let behindEscape = false;
  for (const [token, hex, quotedCharacter] of pattern.matchAll(/%\*|%([\da-f]{2})|\\([^])|[^]/gu)) {
    if (token === '%' || token === '\\') return null;
    if (token === '%*') source += `(?:${plainFlag}[^/]|${escapedFlag}.)*`;
    else if (hex !== undefined) source += `${escapedFlag}\\x${hex}`;
    else if (token === '*') source += `${behindEscape ? `(?:${escapedFlag}/)?` : ''}(?:.[^/])*`;
    else if (token === '?') source += '.[^/]';
    else source += literal(quotedCharacter ?? token);
    behindEscape = hex !== undefined;
  }
  return source;
}

function literal(character: string): string {
  const code = (text: string): string => `\\x{${(text.codePointAt(0) as number).toString(16)}}`;
  return `(?:${plainFlag}${code(character)}|${escapedFlag}[${code(character)}${code(character.toUpperCase())}])`;
}
