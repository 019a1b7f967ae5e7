/** TLS details of a connection, for placeholders, matchers and access logs. Available after the handshake, or with early data. */
export interface TlsInfo {
  /** `tls1.2`, `tls1.3`. */
  readonly version: string;
  /** IANA name of the cipher suite. */
  readonly cipherSuite: string;
  readonly resumed: boolean;
  /** Protocol negotiated with ALPN, or empty. */
  readonly protocol: string;
  /** SNI as sent by the client, or empty. */
  readonly serverName: string;
  /** DER-encoded client certificate, or `null`. */
  readonly clientCertificate: Buffer | null;
  /** Reason why that certificate is not trusted; `null` if it is trusted or absent. */
  readonly clientProblem: string | null;
  /** False for a request that arrived as early data (0-RTT), which may be a replay. */
  readonly handshakeComplete: boolean;
}
