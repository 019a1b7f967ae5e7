/** Listener addresses in Caddy's notation, such as `:443`, `127.0.0.1:80`, `unix//run/x`, and `fd/3`. */

const withoutPort = new Set(['unix', 'unixgram', 'unixpacket', 'unix+h2c', 'fd', 'fdgram']);

/** Combines a host from the `bind` directive with the port of a site. Calls `fail` if the host is invalid. */
export function formatListener(bind: string, port: string, fail: (problem: string) => never): string {
  const slash = bind.indexOf('/');
  const network = slash < 0 ? '' : bind.slice(0, slash).trim().toLowerCase();
  const rest = slash < 0 ? bind : bind.slice(slash + 1);
  if (withoutPort.has(network)) return `${network}/${rest}`;
  const host = hostOf(rest);
  if (host === null) return fail(`parsing network address: address ${rest}: too many colons in address`);
  const prefix = network === '' || network === 'tcp' ? '' : `${network}/`;
  return `${prefix}${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns the host part of `host`, `host:port`, `[ipv6]`, or an IPv6 address. Ignores the port. */
function hostOf(text: string): string | null {
  const bracketed = /^\[([^\]]*)\](?::[^:]*)?$/.exec(text);
  if (bracketed !== null) return bracketed[1] ?? '';
  const colon = text.indexOf(':');
  if (colon >= 0 && text.indexOf(':', colon + 1) < 0) return text.slice(0, colon);
  return text;
}
