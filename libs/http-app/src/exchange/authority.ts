/** Returns the host of an authority without the port. Preserves case. */
export function hostOf(authority: string): string {
  const colon = portColon(authority);
  // As in Caddy, keep the brackets if there is no port.
  if (colon < 0) return authority;
  return authority.startsWith('[') ? authority.slice(1, colon - 1) : authority.slice(0, colon);
}

/** Returns the port of an authority, or an empty string if there is none. */
export function portOf(authority: string): string {
  const colon = portColon(authority);
  return colon < 0 ? '' : authority.slice(colon + 1);
}

/** Returns the host of an authority without port and brackets. Treats a malformed authority as a host name. */
export function bareHostOf(authority: string): string {
  const colon = portColon(authority);
  if (colon >= 0) return hostOf(authority);
  const from = authority.startsWith('[') ? 1 : 0;
  const end = authority.endsWith(']') ? authority.length - 1 : authority.length;
  return from === 0 && end === authority.length ? authority : authority.slice(from, end);
}

/** Returns an authority without the IPv6 zone, for use outside this machine. A zone is meaningful only on this machine (RFC 6874 §1). */
export function withoutZone(authority: string): string {
  if (!authority.startsWith('[')) return authority;
  const close = authority.lastIndexOf(']');
  const percent = close < 0 ? -1 : authority.lastIndexOf('%', close);
  return percent < 0 ? authority : authority.slice(0, percent) + authority.slice(close);
}

/** Returns the index of the colon before the port. Returns -1 if there is no port or the authority is malformed. */
function portColon(authority: string): number {
  const colon = authority.lastIndexOf(':');
  if (colon < 0) return -1;
  const close = authority.indexOf(']');
  if (authority.charCodeAt(0) === 0x5b /* [ */) {
    const isWhole = close === colon - 1 && authority.lastIndexOf('[') === 0 && authority.indexOf(']', colon) < 0;
    return isWhole ? colon : -1;
  }
  return authority.indexOf(':') === colon && close < 0 && !authority.includes('[') ? colon : -1;
}
