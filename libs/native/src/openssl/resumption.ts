/** Resumption of TLS sessions: client sessions, and the server's rule for early data. */
import { Handle } from '../handle.ts';
import { openssl, opensslError } from './functions.ts';

/** Rule that decides whether a server accepts early data. */
export interface EarlyDataRule {
  /** Bytes to store in tickets, which are encrypted. The server accepts early data only with a ticket that contains the same bytes. */
  readonly binding: Buffer;
  /** Called for authenticated early data. Must return false for a replay. */
  accept(): boolean;
}

/** A TLS session that a client can resume. */
export class TlsClientSession {
  readonly #handle: Handle;

  /** Takes ownership of the OpenSSL session at `address`. */
  constructor(address: bigint) {
    this.#handle = new Handle(address, openssl().SSL_SESSION_free, () => opensslError('no session'));
  }

  get address(): bigint {
    return this.#handle.address;
  }

  /** Frees the session. Repeated calls have no effect. TLS connections that already use it continue. */
  free(): void {
    this.#handle.free();
  }
}
