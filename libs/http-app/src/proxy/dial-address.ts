/** Parses upstream addresses from the `dial` option after placeholders are expanded. */
import { isUnixNetwork, joinHostPort, parseNetworkAddress, type NetworkAddress } from '@sluice/base';
import { UpstreamError } from './upstream-error.ts';

/** Address of one upstream. Two objects may represent the same address, so compare {@link text}. */
export interface DialAddress {
  /** Network: `tcp`, `tcp4`, `tcp6` or `unix`. */
  readonly network: string;
  /** Host without brackets, or the path of a Unix socket. */
  readonly host: string;
  /** Port from 1 to 65535; 0 for a Unix socket. */
  readonly port: number;
  /** Address in dialable form: `127.0.0.1:80`, `[::1]:80`, or the path of a Unix socket. */
  readonly hostPort: string;
  /** Unique string form of the address: `tcp/127.0.0.1:80`, `unix//run/app.sock`. */
  readonly text: string;
}

/**
 * Parses a dial address. Throws an {@link UpstreamError} of kind `dial` if the address is invalid. This is not a configuration error,
 * because the string may contain request data.
 */
export function parseDialAddress(text: string): DialAddress {
  let address: NetworkAddress;
  try {
    address = parseNetworkAddress(text);
  } catch (error) {
    throw new UpstreamError('dial', (error as Error).message, error);
  }
  const { network, host, startPort: port, endPort } = address;
  if (isUnixNetwork(network)) return { network, host, port: 0, hostPort: host, text: `${network}/${host}` };
  if (!network.startsWith('tcp'))
    throw new UpstreamError('dial', `cannot dial ${text}: ${network} is not a stream network`);
  if (port === 0 || port !== endPort)
    throw new UpstreamError('dial', `cannot dial ${text}: it must have exactly one port, such as "localhost:8080"`);
  return dialAddress(network, host, port);
}

export function dialAddress(network: string, host: string, port: number): DialAddress {
  const hostPort = joinHostPort(host, port);
  return { network, host, port, hostPort, text: `${network}/${hostPort}` };
}
