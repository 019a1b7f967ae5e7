/** TLS session interface for a connection (RFC 9001 §4). Implemented by the OpenSSL bindings, and by a fake in tests. */

/** TLS callbacks, called during methods of {@link TlsSession}. */
export interface TlsEvents {
  /** Provides bytes for CRYPTO frames at an encryption level. The bytes may be overwritten after the call. */
  onCryptoData(level: number, bytes: Buffer): void;
  /** Provides a secret of an encryption level. `suiteId` is the IANA number of the cipher suite. */
  onSecret(secret: {
    readonly level: number;
    readonly direction: 'read' | 'write';
    readonly suiteId: number;
    readonly bytes: Buffer;
  }): void;
  /** Provides the peer's transport parameters. They are authenticated only after the handshake is complete. */
  onTransportParameters(bytes: Buffer): void;
  /** Called when TLS fails with an alert (RFC 8446 §6). The alert closes the connection. */
  onAlert(alert: number, reason: string): void;
  onComplete(): void;
  /**
   * Schedules `work` to run outside the methods of {@link TlsSession}. `work` may call the other callbacks. If `work` throws an exception,
   * the connection ends.
   */
  later(work: () => void): void;
}

/** A TLS session that handles the handshake and post-handshake messages. */
export interface TlsSession {
  /** Sets the callbacks and starts the handshake. A client sends its first bytes. */
  start(events: TlsEvents): void;
  /** Processes the CRYPTO bytes of an encryption level, in order. The bytes may be overwritten after the call. */
  receive(level: number, bytes: Buffer): void;
  /** Frees resources. Idempotent. */
  free(): void;
}
