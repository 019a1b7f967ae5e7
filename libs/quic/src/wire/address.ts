/** Addresses of peers. */

/** Address of a peer's UDP socket. */
export interface PeerAddress {
  readonly host: string;
  readonly port: number;
  /** Host and port as a single key. */
  readonly key: string;
  /** Local address to which the peer sent its datagrams. Empty or undefined if the socket has only one address. */
  readonly local?: string;
}
