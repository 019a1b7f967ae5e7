/** The first message of a handshake, as far as decisions need it. */

/** Facts of a ClientHello (RFC 8446 §4.1.2) and of the connection that it came on. Plain data. */
export interface ClientHello {
  /** SNI in lower case without a final dot, or empty. */
  readonly serverName: string;
  /** Protocols that the client offers by ALPN, in its order. */
  readonly protocols: readonly string[];
  /** Versions that it offers, such as 0x0304 for TLS 1.3; from `supported_versions`, else the one of the message. */
  readonly versions: readonly number[];
  readonly cipherSuites: readonly number[];
  /** Signature schemes that it takes, such as 0x0403 for ecdsa_secp256r1_sha256; empty if it does not say. */
  readonly signatureSchemes: readonly number[];
  /** IP address without brackets; empty for a Unix socket. A PROXY header has replaced it. */
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}
