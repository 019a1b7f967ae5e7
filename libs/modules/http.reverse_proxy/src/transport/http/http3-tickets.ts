/** Sessions of HTTP/3 upstreams for resumption. Each is used once, as recommended (RFC 8446 §C.4). */
import type { TlsClientSession } from '@sluice/native';

const maxSessions = 256;

interface Entry {
  readonly session: TlsClientSession;
  /** Wall-clock time from which the session is not used, because the certificate has expired. */
  readonly expires: number;
}

export class Http3Tickets {
  /** Newest session of each upstream, oldest first. */
  readonly #entries = new Map<string, Entry>();
  #closed = false;

  /** Stores a session, and takes ownership. `expires`: time at which the certificate of the upstream expires. */
  keep(upstream: string, session: TlsClientSession, expires: number): void {
    if (this.#closed) {
      session.free();
      return;
    }
    this.#remove(upstream);
    this.#entries.set(upstream, { session, expires });
    for (const [oldest] of this.#entries) {
      if (this.#entries.size <= maxSessions) break;
      this.#remove(oldest);
    }
  }

  #remove(upstream: string): void {
    this.#entries.get(upstream)?.session.free();
    this.#entries.delete(upstream);
  }

  /** Removes and returns the session of an upstream; `null` if there is none. The caller frees the session. */
  take(upstream: string): TlsClientSession | null {
    const entry = this.#entries.get(upstream);
    if (entry === undefined) return null;
    this.#entries.delete(upstream);
    if (entry.expires > Date.now()) return entry.session;
    entry.session.free();
    return null;
  }

  close(): void {
    this.#closed = true;
    for (const { session } of this.#entries.values()) session.free();
    this.#entries.clear();
  }
}
