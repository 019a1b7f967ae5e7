/**
 * Patterns with escapes: `/a%2F*` is about the path as it was sent. An escape matches that very escape, any other
 * character matches itself, escaped or not; `*` matches no slash in either form, but for an escaped one right after an
 * escape (`/a%2F*` matches `/a%2F%2Fb`); `%*` only stops at a plain slash.
 */
import { cleanRequestPath, compileRegExp, decodeBytes, lowerCase } from '@sluice/base';

/** Tests the escaped path of a request. */
export type EscapedTest = (rawPath: string) => boolean;

/**
 * Compiles a pattern. Each character of a path becomes two, the first of which tells whether it was escaped, so that a
 * regular expression can be about both. A class beside an escape never matches, as in the reference.
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

/** Escapes outside ASCII say nothing that the characters don't: no path has those unescaped. */
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

/** The regular expression of a lower-case pattern; `null` for one that matches nothing. */
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
