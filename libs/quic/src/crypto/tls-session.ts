/** TLS stack of a connection: OpenSSL bindings, or a fake in tests (RFC 9001 §4). */

/** TLS callbacks, called from within methods of {@link TlsSession}. */
export interface TlsEvents {
  /** Provides bytes for CRYPTO frames of `level`, which may be overwritten after the call. */
  onCryptoData(level: number, bytes: Buffer): void;
  /** Provides a secret of `level`. `suiteId` is the suite's TLS number. */
  onSecret(secret: {
    readonly level: number;
    readonly direction: 'read' | 'write';
    readonly suiteId: number;
    readonly bytes: Buffer;
  }): void;
  /** Provides the peer's transport parameters. The parameters are authenticated only after the handshake is complete. */
  onTransportParameters(bytes: Buffer): void;
  /** Called when TLS failed with an alert (RFC 8446 §6), which closes the connection. */
  onAlert(alert: number, reason: string): void;
  onComplete(): void;
  /** Runs `work`, which calls the methods above, outside of {@link TlsSession}. An exception ends the connection. */
  later(work: () => void): void;
}

/** A TLS handshake and post-handshake messages. */
export interface TlsSession {
  /** Starts the handshake and sets the callbacks. A client sends its first bytes. */
  start(events: TlsEvents): void;
  /** Processes CRYPTO frame bytes of `level`, in order. The bytes may be overwritten after the call. */
  receive(level: number, bytes: Buffer): void;
  /** Frees resources. Idempotent. */
  free(): void;
}
