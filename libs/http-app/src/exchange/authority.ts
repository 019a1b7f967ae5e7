/** Host and port of an authority such as `example.com:8080` or `[::1]:80` (RFC 3986 §3.2). */

/** The host without its port; its case is kept. */
export function hostOf(authority: string): string {
  if (authority.startsWith('[')) {
    const close = authority.indexOf(']');
    // Without a port nothing is taken apart, and the brackets stay, as in the reference.
    return authority[close + 1] === ':' ? authority.slice(1, close) : authority;
  }
  const colon = authority.indexOf(':');
  return colon >= 0 && authority.indexOf(':', colon + 1) < 0 ? authority.slice(0, colon) : authority;
}

/** The port, or the empty text where none is named. */
export function portOf(authority: string): string {
  const colon = authority.lastIndexOf(':');
  if (colon < 0 || (authority.startsWith('[') ? colon < authority.indexOf(']') : authority.indexOf(':') !== colon))
    return '';
  return authority.slice(colon + 1);
}
