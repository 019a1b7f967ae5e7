/** TLS sessions of HTTP/3 upstreams, for resumption. As recommended, each session is used only once (RFC 8446 §C.4). */
import type { TlsClientSession } from '@sluice/native';

const maxSessions = 256;

interface Entry {
  readonly session: TlsClientSession;
  /** Wall-clock time at which the upstream's certificate expires. The session is not used afterwards. */
  readonly expires: number;
}

export class Http3Tickets {
  /** Most recent TLS session of each upstream. The least recently stored session comes first. */
  readonly #entries = new Map<string, Entry>();
  #closed = false;

  /** Stores a TLS session and takes ownership of it. `expires` is the expiration time of the upstream's certificate. */
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

  /** Removes and returns the TLS session of an upstream, or `null` if there is none. The caller must free the session. */
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
