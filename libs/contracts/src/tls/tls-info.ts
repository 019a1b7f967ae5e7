/** TLS details of a connection, for placeholders, matchers, and access logs. Available after the handshake or once early data is accepted. */
export interface TlsInfo {
  /** `tls1.2`, `tls1.3`. */
  readonly version: string;
  /** IANA name of the cipher suite. */
  readonly cipherSuite: string;
  readonly resumed: boolean;
  /** Protocol negotiated with ALPN. Empty if there is none. */
  readonly protocol: string;
  /** Server name (SNI) that the client sent. Empty if there is none. */
  readonly serverName: string;
  /** Client certificate in DER format. `null` if the client sent none. */
  readonly clientCertificate: Buffer | null;
  /** Reason why the client certificate is not trusted. `null` if it is trusted or missing. */
  readonly clientProblem: string | null;
  /** False for a request that arrived as early data (0-RTT). Such a request may be a replay. */
  readonly handshakeComplete: boolean;
}
