/** What is known of TLS on a connection. */

/** Facts of TLS; what a placeholder, a matcher or an access log may ask. Known when the handshake is complete. */
export interface TlsInfo {
  /** `tls1.2`, `tls1.3`. */
  readonly version: string;
  /** IANA name of the cipher suite. */
  readonly cipherSuite: string;
  readonly resumed: boolean;
  /** Protocol negotiated by ALPN, or empty. */
  readonly protocol: string;
  /** Name of the handshake (SNI) as the client wrote it, or empty. */
  readonly serverName: string;
  /** DER of the client's certificate, or `null`. */
  readonly clientCertificate: Buffer | null;
  /** Why that certificate is not trusted; `null` where it is, or there is none. */
  readonly clientProblem: string | null;
  readonly handshakeComplete: boolean;
}
