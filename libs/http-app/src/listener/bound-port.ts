/** A UDP socket as the QUIC listener uses it, whoever implements it. */
import type { RawSocket } from '@sluice/base';
import type { DatagramTransport, Endpoint } from '@sluice/quic';

/** A bound UDP socket. */
export interface DatagramPort extends DatagramTransport {
  readonly port: number;
  /** The address that it is bound to. */
  readonly local: string;
  /** Memory for datagrams to send, if it has its own. */
  readonly memory: Buffer | undefined;
  /** The sockets that another process or thread could take over. */
  readonly raw: readonly RawSocket[];
  /** Takes datagrams from now on. */
  start(endpoint: Endpoint): void;
  /** Takes none any more: another process reads them. */
  stop(): void;
  /** Another process or thread has read a datagram of ours. */
  accept(
    datagram: Buffer,
    from: { readonly host: string; readonly port: number; readonly local: string },
    codepoint: number,
  ): void;
  close(): Promise<void>;
}
