/** The address of the admin endpoint: exactly one TCP port, or a unix socket. */
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

/** Port of an address that names none. */
const defaultPort = 2019;

/** Permissions of a unix socket whose address names none: its owner may connect, as with the reference. */
export const defaultSocketMode = 0o200;

/** Reads the address of an admin endpoint; placeholders such as `{env.ADMIN}` are replaced first. Status 400. */
export function parseAdminAddress(text: string): NetworkAddress {
  const expanded = reporting(() => expandRequired(text).trim());
  if (expanded === '') throw addressError(`${JSON.stringify(text)} names no address`);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(expanded))
    throw addressError(
      `address ${JSON.stringify(expanded)} is a URL: give host and port alone, such as localhost:2019`,
    );
  const address = reporting(() => parseNetworkAddress(expanded, { port: defaultPort }));
  if (!/^(?:tcp[46]?|unix)$/.test(address.network)) {
    throw addressError(
      `address ${JSON.stringify(expanded)}: the admin endpoint listens on tcp or unix, not on ${address.network}`,
    );
  }
  if (portCount(address) !== 1) {
    throw addressError(`address ${JSON.stringify(expanded)}: the admin endpoint has exactly one port, not a range`);
  }
  return address;
}

/** What `read` gives; what it throws is an error of the address. */
function reporting<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw addressError(messageOf(error), error);
  }
}

/** Whether two addresses are the same place, whatever the permissions: who listens on the one listens on the other. */
export function isSameAddress(a: NetworkAddress, b: NetworkAddress): boolean {
  return listenerKey(a) === listenerKey(b);
}

/** What `server.listen` wants. Names are looked up here, with IPv4 first, so that `localhost` is one known socket. */
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

/** Whether an address means every interface. */
export function isWildcard({ network, host }: NetworkAddress): boolean {
  return !isUnixNetwork(network) && canonicalHost(host) === '';
}

/** Whether an address can be reached from this machine only. */
export function isLoopback({ network, host: written }: NetworkAddress): boolean {
  const host = canonicalHost(written);
  return !isUnixNetwork(network) && (host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host));
}
