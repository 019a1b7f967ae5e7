/** A UDP socket as used by the QUIC listener, independent of the implementation. */
import type { RawSocket } from '@sluice/base';
import type { DatagramTransport, Endpoint, PeerAddress } from '@sluice/quic';

/** A bound UDP socket. */
export interface DatagramPort extends DatagramTransport {
  readonly port: number;
  /** The bound address. */
  readonly local: string;
  /** Memory for outgoing datagrams, if the socket provides it. */
  readonly memory: Buffer | undefined;
  /** Sockets that another process or thread can take over. */
  readonly raw: readonly RawSocket[];
  start(endpoint: Endpoint): void;
  /** Stops receiving, because another process reads the datagrams now. */
  stop(): void;
  /** Returns the peer with this IP address, for connecting to it; `null` if this socket can't reach it. */
  peer(host: string, port: number): PeerAddress | null;
  /** Accepts a datagram that another process or thread received for this socket. */
  accept(
    datagram: Buffer,
    from: { readonly host: string; readonly port: number; readonly local: string },
    codepoint: number,
  ): void;
  close(): Promise<void>;
}
