/** UDP socket for the QUIC listener. Uses native bindings if they are available, and otherwise Node's UDP sockets. */
import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { taskOf, type NetworkAddress } from '@sluice/base';
import { UdpSocket } from '@sluice/native';
import type { DatagramPort } from './bound-port.ts';
import { DatagramSocket } from './datagram-socket.ts';
import { NativeDatagramSocket } from './native-datagram-socket.ts';

const task = taskOf('http');

export interface DatagramPortOptions {
  readonly address: NetworkAddress;
  readonly reusePort: boolean;
  /** Inherited file descriptors for the address, one for each thread of the previous process. */
  readonly handed: readonly number[];
}

/** Binds an address, or takes over a socket that is already bound. Throws `ERR_LISTEN` with the reason if this fails. */
export async function openDatagramPort({ address, reusePort, handed }: DatagramPortOptions): Promise<DatagramPort> {
  if (handed.length > 0) return new NativeDatagramSocket(handed.map((descriptor) => UdpSocket.adopt(descriptor, task)));
  for (const place of await placesOf(address)) {
    const socket = bindNatively({ ...place, port: address.startPort, reusePort });
    if (socket !== null) return new NativeDatagramSocket([socket]);
  }
  // If the native socket cannot be opened, Node binds the address or reports the reason for the failure.
  return DatagramSocket.open(address, reusePort);
}

type Place = Pick<Parameters<typeof UdpSocket.bind>[0], 'host' | 'isIPv6' | 'only'>;

/** Returns the addresses to try, in order. For all interfaces, this is `::` with IPv4-mapped addresses, as with TCP. */
async function placesOf({ network, host }: NetworkAddress): Promise<readonly Place[]> {
  const isFour = network.endsWith('4');
  if (host === '') {
    const four: Place = { host: '0.0.0.0', isIPv6: false, only: false };
    const six: Place = { host: '::', isIPv6: true, only: network.endsWith('6') };
    if (isFour) return [four];
    return network.endsWith('6') ? [six] : [six, four];
  }
  const found = isIP(host) > 0 ? host : await addressOf(host, isFour);
  return found === null ? [] : [{ host: found, isIPv6: isIPv6(found), only: true }];
}

async function addressOf(host: string, isFour: boolean): Promise<string | null> {
  try {
    return (await lookup(host, isFour ? { family: 4 } : {})).address;
  } catch {
    return null;
  }
}

function bindNatively(options: Parameters<typeof UdpSocket.bind>[0]): UdpSocket | null {
  try {
    return UdpSocket.bind(options, task);
  } catch {
    return null;
  }
}
