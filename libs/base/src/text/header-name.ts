/** Names of header fields. */
import { isToken } from './token.ts';

/** Canonical forms that were made before. Names come from clients, so the number is bounded. */
const known = new Map<string, string>();
const maxKnown = 2048;

/**
 * The canonical form of a field name, as Go's `CanonicalMIMEHeaderKey` gives it and the reference writes it: a capital at
 * the beginning and after each hyphen (`www-authenticate` -> `Www-Authenticate`). A name that is not a token is returned
 * as it is.
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
