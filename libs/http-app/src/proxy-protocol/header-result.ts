/** Result of parsing a PROXY protocol header. */

/** Addresses of both ends of a connection. */
export interface ProxiedAddresses {
  /** IP address without brackets, or the path of a Unix socket. */
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** A complete header. */
export interface ProxyHeader {
  /** Length in bytes. */
  readonly length: number;
  /** Addresses from the header. `null` for LOCAL or UNKNOWN; in this case, the addresses of the socket apply. */
  readonly addresses: ProxiedAddresses | null;
}

/** A parsed header, or the reason why there is none: incomplete, absent or malformed. */
export type HeaderResult = ProxyHeader | 'incomplete' | 'absent' | 'malformed';
