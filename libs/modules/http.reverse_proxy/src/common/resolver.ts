/** Host name resolution through configured DNS servers. */
import { Resolver } from 'node:dns';
import { SluiceError, joinHostPort, parseNetworkAddress } from '@sluice/base';
import { options, strings, type Context } from '@sluice/registry';

export const resolverOptions = options({
  addresses: strings('DNS servers as `host:port`. Default: the system resolvers.'),
});

/** Function that resolves host names, as a replacement for the system resolver. */
export type LookupHost = (
  host: string,
  callback: (error: Error | null, addresses: readonly { address: string; family: number }[]) => void,
) => void;

/** Returns a resolver for the addresses in the `resolver` option, or `null` to use the system resolver. */
export function makeResolver(
  addresses: readonly string[] | null | undefined,
  timeout: number,
  context: Context,
): Resolver | null {
  if (addresses === null || addresses === undefined || addresses.length === 0) return null;
  const servers = addresses.map((text, index) => {
    try {
      const { host, startPort } = parseNetworkAddress(text, { network: 'udp', port: 53 });
      return joinHostPort(host, startPort);
    } catch (error) {
      throw context.error((error as Error).message, 'resolver', 'addresses', index);
    }
  });
  const resolver = new Resolver({ timeout: timeout > 0 ? timeout : 5000, tries: 2 });
  try {
    resolver.setServers(servers);
  } catch (error) {
    throw context.error((error as Error).message, 'resolver', 'addresses');
  }
  return resolver;
}

/** Looks up the IPv4 and IPv6 addresses of a host. IPv4 addresses come first. */
export function lookupWith(resolver: Resolver): LookupHost {
  return (host, callback) => {
    let left = 2;
    let problem: Error | null = null;
    const found: { address: string; family: number }[] = [];
    const take =
      (family: number) =>
      (error: Error | null, addresses: string[] = []): void => {
        problem ??= error;
        for (const address of addresses) found.push({ address, family });
        if (--left === 0)
          callback(
            found.length === 0
              ? (problem ?? new SluiceError('ERR_UPSTREAM_LOOKUP', `${host} has no IP address`))
              : null,
            found.toSorted((a, b) => a.family - b.family),
          );
      };
    resolver.resolve4(host, take(4));
    resolver.resolve6(host, take(6));
  };
}
