/** The TLS stack that a connection runs on: OpenSSL by bindings, or a fake one in tests (RFC 9001 §4). */

/** What TLS tells a connection. Called from within the methods of {@link TlsSession}. */
export interface TlsEvents {
  /** Bytes to send in CRYPTO frames of `level`. They may be overwritten after the call. */
  onCryptoData(level: number, bytes: Buffer): void;
  /** A secret of `level`; `suiteId` is the number of the suite in TLS. */
  onSecret(secret: {
    readonly level: number;
    readonly direction: 'read' | 'write';
    readonly suiteId: number;
    readonly bytes: Buffer;
  }): void;
  /** The transport parameters of the peer. They are authentic once the handshake is complete. */
  onTransportParameters(bytes: Buffer): void;
  /** TLS failed with an alert (RFC 8446 §6); the connection is closed for it. */
  onAlert(alert: number, reason: string): void;
  /** The handshake is complete. */
  onComplete(): void;
  /** Runs `work`, which calls the methods above, outside of a call of {@link TlsSession}: what it throws ends the connection. */
  later(work: () => void): void;
}

/** One TLS handshake and what may follow it. */
export interface TlsSession {
  /** Begins, and hears events from now on. A client sends its first bytes. */
  start(events: TlsEvents): void;
  /** Takes bytes of CRYPTO frames of `level`, in order. They may be overwritten after the call. */
  receive(level: number, bytes: Buffer): void;
  /** Frees what it holds. Idempotent. */
  free(): void;
}
