/** Site addresses, such as `example.com`, `http://*.example.com:8080`, and `:443`. */
import { caddyfileError } from '../errors.ts';
import type { CaddyfileToken } from '../token.ts';

/** A parsed site address. Missing parts are empty strings. */
export interface SiteAddress {
  readonly original: string;
  /** Scheme in lowercase: `http`, `https`, or another scheme, which is rejected later. */
  readonly scheme: string;
  /** Lowercase, without brackets. */
  readonly host: string;
  readonly port: string;
  readonly path: string;
}

export function parseSiteAddress(token: CaddyfileToken): SiteAddress {
  const original = token.text;
  const mark = original.indexOf('://');
  const scheme = mark < 0 ? '' : original.slice(0, mark).toLowerCase();
  const rest = mark < 0 ? original : original.slice(mark + 3);
  const slash = slashIn(rest);
  const authority = rest.slice(0, slash);
  const { host, port } = splitAuthority(authority);
  checkPort(port, token);
  return { original, scheme, host: normalHost(host), port, path: rest.slice(slash) };
}

/** Returns the index at which the path starts. Ignores slashes inside placeholders. */
function slashIn(text: string): number {
  const slash = text.indexOf('/');
  return slash < 0 ? text.length : slash;
}

function splitAuthority(authority: string): { host: string; port: string } {
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(authority);
  if (bracketed !== null) return { host: bracketed[1] ?? '', port: bracketed[2] ?? '' };
  const colon = authority.lastIndexOf(':');
  const severalColons = authority.replaceAll(/\{[^}]*\}/g, '').split(':').length > 2;
  const opened = authority.lastIndexOf('{', colon);
  const inPlaceholder = opened >= 0 && authority.indexOf('}', opened) > colon;
  if (colon < 0 || severalColons || inPlaceholder) return { host: authority, port: '' };
  return { host: authority.slice(0, colon), port: authority.slice(colon + 1) };
}

function checkPort(port: string, token: CaddyfileToken): void {
  if (port === '') return;
  if (!/^[+-]?\d+$/.test(port)) {
    throw caddyfileError(
      `parsing key: invalid port '${port}': strconv.Atoi: parsing ${JSON.stringify(port)}: invalid syntax`,
      undefined,
      token,
    );
  }
  if (Number(port) < 0 || Number(port) > 65535) {
    throw caddyfileError(`parsing key: port ${port} is out of range`, undefined, token);
  }
}

/** Converts a host to lowercase, except for its placeholders. */
function normalHost(host: string): string {
  if (!host.includes('{')) return host.toLowerCase();
  return host.replace(/[^{}]+(?![^{]*\})/g, (part) => part.toLowerCase());
}
