/** Where a server can be reached, for the line that says that it serves. */
import type { HttpApp } from '@sluice/http-app';
import { formatNetworkAddress, isUnixNetwork, joinHostPort, type NetworkAddress } from '@sluice/base';

/** Ports that a browser leaves out. */
const usualPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

/**
 * The addresses that the app `http` listens on, each once, in the order of the configuration. On a terminal they are URLs,
 * which can be clicked: `:8080` becomes `http://localhost:8080`. What a browser cannot open stays as it is.
 */
export function servedAddresses(app: HttpApp | null, asUrls: boolean): string[] {
  const served = new Set<string>();
  for (const server of app?.servers.values() ?? []) {
    for (const address of server.networkAddresses) {
      const isSecure = server.security.termination !== null && address.startPort !== app?.httpPort;
      served.add(asUrls && !isUnixNetwork(address.network) ? urlOf(address, isSecure) : formatNetworkAddress(address));
    }
  }
  return [...served];
}

/** The admin endpoint as a URL, unless it is a unix socket. */
export function asUrl(address: string | null): string | null {
  return address === null || address.startsWith('unix') ? address : `http://${address.replace(/^:/, 'localhost:')}`;
}

function urlOf({ host, startPort: port }: NetworkAddress, isSecure: boolean): string {
  const scheme = isSecure ? 'https' : 'http';
  const isAny = host === '' || host === '0.0.0.0' || host === '::';
  const authority = joinHostPort(isAny ? 'localhost' : host, port);
  return `${scheme}://${port === usualPorts[scheme] ? authority.slice(0, authority.lastIndexOf(':')) : authority}`;
}
