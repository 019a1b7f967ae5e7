import { isToken } from './token.ts';

/** Cache of canonical header names. Its size is limited, because clients choose the names. */
const known = new Map<string, string>();
const maxKnown = 2048;

/**
 * Returns the canonical form of a header name, like Go's `CanonicalMIMEHeaderKey`. The first letter and each letter after a hyphen are
 * uppercase: `www-authenticate` becomes `Www-Authenticate`. A name that is not a token stays unchanged.
 */
export function canonicalHeaderName(name: string): string {
  return known.get(name) ?? remember(name);
}

function remember(name: string): string {
  const canonical = isToken(name) ? capitalise(name) : name;
  if (known.size >= maxKnown) known.clear();
  if (name.length <= 64) known.set(name, canonical);
  return canonical;
}

function capitalise(name: string): string {
  let canonical = '';
  for (const part of name.split('-')) canonical += `-${part.slice(0, 1).toUpperCase()}${part.slice(1).toLowerCase()}`;
  return canonical.slice(1);
}
