/** The end of a connection (RFC 9114 §5.3, §8), for either role. */
import { isQuicError, type QuicConnection } from '@sluice/quic';
import { isHttp3Error } from './error-code.ts';

/** The connection that ends. */
export interface EndingConnection {
  readonly quic: QuicConnection | null;
  /** Handles an exception other than a violation of the protocol. */
  fault(error: unknown): void;
}

export class ConnectionEnd {
  over = false;
  readonly #connection: EndingConnection;

  constructor(connection: EndingConnection) {
    this.#connection = connection;
  }

  /** Ends the connection immediately. `code` is an HTTP/3 error code. */
  with(code: number, reason: string): void {
    if (this.over) return;
    this.over = true;
    this.#connection.quic?.close(code, reason);
  }

  /** Handles a connection error. */
  after(error: unknown): void {
    if (this.over) return;
    if (isHttp3Error(error)) this.with(error.code, error.message);
    else if (isQuicError(error)) throw error;
    else this.#connection.fault(error);
  }
}
