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
  /** `null` if the proxy uses LOCAL or UNKNOWN. The socket addresses then apply. */
  readonly addresses: ProxiedAddresses | null;
}

/** A header, or the reason for its absence: incomplete, absent or malformed. */
export type HeaderResult = ProxyHeader | 'incomplete' | 'absent' | 'malformed';
