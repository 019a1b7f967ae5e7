/** Closing of an HTTP/3 connection (RFC 9114 §5.3, §8), used by servers and clients. */
import { isQuicError, type QuicConnection } from '@sluice/quic';
import { isHttp3Error } from './error-code.ts';

/** A connection that can be closed. */
export interface EndingConnection {
  readonly quic: QuicConnection | null;
  /** Handles an exception that is not a protocol violation. */
  fault(error: unknown): void;
}

export class ConnectionEnd {
  over = false;
  readonly #connection: EndingConnection;

  constructor(connection: EndingConnection) {
    this.#connection = connection;
  }

  /** Closes the connection immediately. `code` is an HTTP/3 error code. */
  with(code: number, reason: string): void {
    if (this.over) return;
    this.over = true;
    this.#connection.quic?.close(code, reason);
  }

  /** Closes the connection after a connection error. */
  after(error: unknown): void {
    if (this.over) return;
    if (isHttp3Error(error)) this.with(error.code, error.message);
    else if (isQuicError(error)) throw error;
    else this.#connection.fault(error);
  }
}
