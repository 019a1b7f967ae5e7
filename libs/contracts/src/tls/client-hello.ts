/** Contents of a TLS ClientHello message (RFC 8446 §4.1.2) and properties of its connection. The object is plain data. */
export interface ClientHello {
  /** Server name (SNI) in lowercase, without a trailing dot. Empty if the client sent none. */
  readonly serverName: string;
  /** ALPN protocols, in the client's order of preference. */
  readonly protocols: readonly string[];
  /**
   * TLS versions that the client offers, such as 0x0304 for TLS 1.3. They come from `supported_versions` or, if it is missing, from the
   * message version.
   */
  readonly versions: readonly number[];
  readonly cipherSuites: readonly number[];
  /** Signature schemes that the client supports, such as 0x0403 for ecdsa_secp256r1_sha256. Empty if the client sent none. */
  readonly signatureSchemes: readonly number[];
  /** Client IP address without brackets. Empty for a Unix socket. If the connection has a PROXY header, the address comes from this header. */
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}
