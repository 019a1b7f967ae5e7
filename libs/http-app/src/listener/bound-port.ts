/** Interface of UDP sockets for the QUIC listener, independent of the implementation. */
import type { RawSocket } from '@sluice/base';
import type { DatagramTransport, Endpoint, PeerAddress } from '@sluice/quic';

/** A bound UDP socket. */
export interface DatagramPort extends DatagramTransport {
  readonly port: number;
  /** The bound address. */
  readonly local: string;
  /** Memory for outgoing datagrams. Undefined if the socket does not provide any. */
  readonly memory: Buffer | undefined;
  /** Sockets that can be handed over to another process or thread. */
  readonly raw: readonly RawSocket[];
  start(endpoint: Endpoint): void;
  /** Stops receiving, because another process now reads the datagrams. */
  stop(): void;
  /** Returns a peer object for the given IP address, for opening a connection. Returns `null` if this socket cannot reach the address. */
  peer(host: string, port: number): PeerAddress | null;
  /** Accepts a datagram that another process or thread received for this socket. */
  accept(
    datagram: Buffer,
    from: { readonly host: string; readonly port: number; readonly local: string },
    codepoint: number,
  ): void;
  close(): Promise<void>;
}
