/** A simple reference implementation of path patterns. */

/** Returns the decoded path in lowercase with dot segments resolved. Merges slashes unless the pattern contains repeated slashes. */
function naiveNormal(rawPath: string, merge: boolean): string {
  const segments: string[] = [];
  const names = decodeURIComponent(rawPath).toLowerCase().slice(1).split('/');
  const trailing = names.at(-1) === '';
  if (trailing) names.pop();
  for (const name of names) {
    if (name === '..') segments.pop();
    else if (name !== '.' && (name !== '' || !merge)) segments.push(name);
  }
  return `/${segments.join('/')}${trailing && segments.length > 0 ? '/' : ''}`;
}

/** Reports whether a pattern without escapes and character classes matches a path. */
export function naiveMatch(pattern: string, rawPath: string): boolean {
  if (pattern === '*') return true;
  const stars = pattern.split('*').length - 1;
  const ends = (pattern.startsWith('*') ? 1 : 0) + (pattern.endsWith('*') && pattern.length > 1 ? 1 : 0);
  const anything = stars > 0 && stars === ends;
  const source = pattern
    .toLowerCase()
    .replaceAll(/[.+^${}()|[\]\\/]/g, '\\$&')
    .replaceAll('*', anything ? '[^]*' : '[^/]*')
    .replaceAll('?', anything ? '\\?' : '[^/]');
  return new RegExp(`^${source}$`).test(naiveNormal(rawPath, !pattern.includes('//')));
}
