/** Addresses of peers. */

/** An address as a datagram socket gives and takes it. */
export interface PeerAddress {
  readonly host: string;
  readonly port: number;
  /** Host and port in one, to compare and to look up. */
  readonly key: string;
  /** The address of ours that it has sent to; empty or absent if the socket has only one. */
  readonly local?: string;
}
