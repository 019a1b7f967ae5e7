/** Listener addresses in Caddy's notation: `:443`, `127.0.0.1:80`, `unix//run/x`, `fd/3`. */

const withoutPort = new Set(['unix', 'unixgram', 'unixpacket', 'unix+h2c', 'fd', 'fdgram']);

/** Combines a `bind` host with a site port. `fail` reports problems with the host. */
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

/** Returns the host of `host`, `host:port`, `[ipv6]` or an IPv6 address, ignoring the port. */
function hostOf(text: string): string | null {
  const bracketed = /^\[([^\]]*)\](?::[^:]*)?$/.exec(text);
  if (bracketed !== null) return bracketed[1] ?? '';
  const colon = text.indexOf(':');
  if (colon >= 0 && text.indexOf(':', colon + 1) < 0) return text.slice(0, colon);
  return text;
}
