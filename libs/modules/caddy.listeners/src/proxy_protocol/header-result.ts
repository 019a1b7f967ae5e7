/** What a header of the PROXY protocol says. */

/** The ends of a connection, as a header names them. */
export interface ProxiedAddresses {
  /** IP address without brackets, or the path of a Unix socket. */
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** A complete header. */
export interface ProxyHeader {
  /** How many bytes it has. */
  readonly length: number;
  /** `null`: the proxy speaks for itself (LOCAL), or does not know (UNKNOWN); the addresses of the socket count. */
  readonly addresses: ProxiedAddresses | null;
}

/** A header, or why there is none: more bytes are needed, something else was sent, or it is wrong. */
export type HeaderResult = ProxyHeader | 'incomplete' | 'absent' | 'malformed';
