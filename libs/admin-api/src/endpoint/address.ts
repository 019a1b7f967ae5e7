import { lookup } from 'node:dns/promises';
import type { ListenOptions } from 'node:net';
import {
  canonicalHost,
  expandRequired,
  isUnixNetwork,
  joinHostPort,
  listenerKey,
  messageOf,
  parseNetworkAddress,
  portCount,
  unixSocketPath,
  type NetworkAddress,
} from '@sluice/base';
import { addressError } from '../errors.ts';

const defaultPort = 2019;

/** Default file permissions of a Unix socket. As in Caddy, only the owner may connect. */
export const defaultSocketMode = 0o200;

/**
 * Parses the address of an admin endpoint, after replacing placeholders such as `{env.ADMIN}`. Throws an error with status 400 for an
 * invalid address.
 */
export function parseAdminAddress(text: string): NetworkAddress {
  const expanded = reporting(() => expandRequired(text).trim());
  if (expanded === '') throw addressError(`${JSON.stringify(text)} is not an address`);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(expanded))
    throw addressError(
      `address ${JSON.stringify(expanded)} is a URL: specify only host and port, such as localhost:2019`,
    );
  const address = reporting(() => parseNetworkAddress(expanded, { port: defaultPort }));
  if (!/^(?:tcp[46]?|unix)$/.test(address.network)) {
    throw addressError(
      `address ${JSON.stringify(expanded)}: the admin endpoint listens on tcp or unix, not on ${address.network}`,
    );
  }
  if (portCount(address) !== 1) {
    throw addressError(
      `address ${JSON.stringify(expanded)}: the admin endpoint must have exactly one port, not a range`,
    );
  }
  return address;
}

/** Returns the result of `read`. Converts exceptions to address errors. */
function reporting<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw addressError(messageOf(error), error);
  }
}

/** Reports whether two addresses are equal, ignoring socket permissions. Configurations with equal addresses share a listener. */
export function isSameAddress(a: NetworkAddress, b: NetworkAddress): boolean {
  return listenerKey(a) === listenerKey(b);
}

/** Returns options for `server.listen`. Resolves host names and prefers IPv4, so that `localhost` always maps to one known socket address. */
export async function listenOptions(address: NetworkAddress): Promise<ListenOptions> {
  const { network, host, startPort: port } = address;
  if (isUnixNetwork(network)) return { path: unixSocketPath(address) };
  if (host === '')
    return network === 'tcp4'
      ? { port, host: '0.0.0.0' }
      : { port, ...(network === 'tcp6' ? { host: '::', ipv6Only: true } : {}) };
  try {
    const family = network === 'tcp4' ? 4 : network === 'tcp6' ? 6 : 0;
    const found = await lookup(host, { family, order: 'ipv4first' });
    return { port, host: found.address };
  } catch (error) {
    throw addressError(`address ${joinHostPort(host, port)}: ${messageOf(error)}`, error);
  }
}

/** Reports whether an address listens on all network interfaces. */
export function isWildcard({ network, host }: NetworkAddress): boolean {
  return !isUnixNetwork(network) && canonicalHost(host) === '';
}

/** Reports whether an address is reachable only from this machine. */
export function isLoopback({ network, host: written }: NetworkAddress): boolean {
  const host = canonicalHost(written);
  return !isUnixNetwork(network) && (host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host));
}
