/** Content of a PROXY protocol header. */

/** Addresses of both ends of a connection. */
export interface ProxiedAddresses {
  /** IP address without brackets, or Unix socket path. */
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** A complete header. */
export interface ProxyHeader {
  /** Length in bytes. */
  readonly length: number;
  /** `null` for LOCAL or UNKNOWN; the socket addresses then apply. */
  readonly addresses: ProxiedAddresses | null;
}

/** A header, or the reason why there is none: incomplete, absent or malformed. */
export type HeaderResult = ProxyHeader | 'incomplete' | 'absent' | 'malformed';
