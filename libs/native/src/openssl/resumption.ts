/** Resumption of TLS sessions: the session of a client, and the rule of a server for early data. */
import { Handle } from '../handle.ts';
import { openssl, opensslError } from './functions.ts';

/** Decides whether a server accepts early data. */
export interface EarlyDataRule {
  /** Stored in tickets, which are encrypted. Early data is accepted only with a ticket that contains the same bytes. */
  readonly binding: Buffer;
  /** Called for authenticated early data. Must return false for replays. */
  accept(): boolean;
}

/** A session that a client can resume. */
export class TlsClientSession {
  readonly #handle: Handle;

  /** Takes ownership of the session. */
  constructor(address: bigint) {
    this.#handle = new Handle(address, openssl().SSL_SESSION_free, () => opensslError('no session'));
  }

  get address(): bigint {
    return this.#handle.address;
  }

  /** Idempotent. TLS sessions that already use it continue. */
  free(): void {
    this.#handle.free();
  }
}
