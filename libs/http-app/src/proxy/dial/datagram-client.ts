/** Opens UDP sockets for QUIC connections to upstreams. */
import type { DatagramPort } from '../../listener/bound-port.ts';

/** Opens a UDP socket on any free port, for one address family. */
export async function openDatagramClient(localAddress: string, isIPv6: boolean): Promise<DatagramPort> {
  const { openDatagramPort } = await import('../../listener/datagram-port.ts');
  const host = localAddress === '' ? (isIPv6 ? '::' : '0.0.0.0') : localAddress;
  const address = { network: isIPv6 ? 'udp6' : 'udp4', host, startPort: 0, endPort: 0, mode: null };
  return openDatagramPort({ address, reusePort: false, handed: [] });
}
