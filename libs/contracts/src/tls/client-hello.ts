/** Contents of a ClientHello (RFC 8446 §4.1.2) and properties of its connection. Plain data. */
export interface ClientHello {
  /** SNI in lower case without a trailing dot, or empty. */
  readonly serverName: string;
  /** ALPN protocols, in the client's order. */
  readonly protocols: readonly string[];
  /** Offered versions, such as 0x0304 for TLS 1.3, from `supported_versions` or else from the message. */
  readonly versions: readonly number[];
  readonly cipherSuites: readonly number[];
  /** Supported signature schemes, such as 0x0403 for ecdsa_secp256r1_sha256; empty if not sent. */
  readonly signatureSchemes: readonly number[];
  /** IP address without brackets; empty for a Unix socket. A PROXY header, if any, has already replaced the address. */
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}
