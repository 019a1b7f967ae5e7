/** Formats server addresses for the startup message. */
import type { HttpApp, Server } from '@sluice/http-app';
import {
  formatNetworkAddress,
  isDescriptorNetwork,
  isUnixNetwork,
  joinHostPort,
  type NetworkAddress,
} from '@sluice/base';

/** Default ports by scheme. Browsers omit these ports from URLs. */
const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

/**
 * Returns the listening addresses of the `http` app without duplicates, in the order of the configuration.
 *
 * On a terminal, addresses are clickable URLs: `:8080` becomes `http://localhost:8080`. Addresses that a browser cannot open are unchanged.
 */
export function servedAddresses(app: HttpApp | null, asUrls: boolean): string[] {
  const served = new Set<string>();
  for (const server of app?.servers.values() ?? []) {
    for (const address of addressesOf(server)) {
      const isSecure = server.security.termination !== null && address.startPort !== app?.httpPort;
      served.add(asUrls && !isUnixNetwork(address.network) ? urlOf(address, isSecure) : formatNetworkAddress(address));
    }
  }
  return [...served];
}

/** Returns the addresses to which this thread's listeners are bound, such as `[::]:8080` or a socket path. */
export function boundAddresses(app: HttpApp | null): string[] {
  return [...(app?.servers.values() ?? [])].flatMap(({ listeners }) =>
    listeners.flatMap(({ address }) => {
      if (address === null || typeof address === 'string') return address ?? [];
      return joinHostPort(address.address, address.port);
    }),
  );
}

/** Returns the configured addresses of a server. Replaces port 0 with the port that the system assigned to this thread's listener. */
function addressesOf({ networkAddresses, listeners }: Server): readonly NetworkAddress[] {
  return networkAddresses.map((address, index) => {
    if (address.startPort !== 0 || isUnixNetwork(address.network) || isDescriptorNetwork(address.network))
      return address;
    const bound = listeners[index]?.address;
    if (bound === null || bound === undefined || typeof bound === 'string') return address;
    return { ...address, startPort: bound.port, endPort: bound.port };
  });
}

/** Returns the URL of the admin endpoint. Returns the path of a Unix socket unchanged. */
export function asUrl(address: string | null): string | null {
  return address === null || address.startsWith('unix') ? address : `http://${address.replace(/^:/, 'localhost:')}`;
}

function urlOf({ host, startPort: port }: NetworkAddress, isSecure: boolean): string {
  const scheme = isSecure ? 'https' : 'http';
  const isAny = host === '' || host === '0.0.0.0' || host === '::';
  const authority = joinHostPort(isAny ? 'localhost' : host, port);
  return `${scheme}://${port === defaultPorts[scheme] ? authority.slice(0, authority.lastIndexOf(':')) : authority}`;
}
