/** One HTTP/2 connection to an upstream (RFC 9113), over TLS or cleartext. Each call is a stream. */
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import { guarded, runGuarded, taskOf } from '@sluice/base';
import type { ClientCall } from './client-call.ts';
import { Http2Stream, type StreamOwner } from './http2-stream.ts';

const never = Number.POSITIVE_INFINITY;
/**
 * Maximum number of resets per connection for disconnected clients. Further requests use another connection. Upstreams treat many resets as
 * an attack and close the connection with all its requests (nghttp2 after 1,000).
 */
const maxResets = 250;

/** Origin that created a session. */
export interface SessionOwner extends StreamOwner {
  /** Called when the session accepts no more requests. */
  removeSession(session: Http2Session): void;
}

/** A connection, owned by the origin that created it. */
export class Http2Session {
  readonly #session: ClientHttp2Session;
  readonly #origin: SessionOwner;
  readonly #streams = new Set<Http2Stream>();
  #retired = false;
  #resets = 0;
  #idleUntil = never;

  constructor(socket: Duplex, origin: SessionOwner) {
    this.#origin = origin;
    const scheme = origin.settings.h2c ? 'http' : 'https';
    this.#session = connect(`${scheme}://upstream`, {
      createConnection: () => socket,
      settings: { enablePush: false, maxHeaderListSize: Math.min(origin.settings.maxHeaderBytes, 2 ** 31 - 1) },
      maxHeaderListPairs: 65_536,
    });
    const over = guarded(taskOf('http.reverse_proxy.transport.http'), () => this.#over());
    this.#session.on('goaway', over);
    this.#session.on('error', over);
    this.#session.on('close', over);
    socket.resume();
  }

  /** True if the connection accepts more requests. */
  get usable(): boolean {
    return !this.#retired && !this.#session.closed && !this.#session.destroyed;
  }

  send(call: ClientCall): void {
    this.#idleUntil = never;
    const stream = new Http2Stream(this.#session, call, this.#origin, (reset) => this.#done(stream, reset));
    this.#streams.add(stream);
    stream.start();
  }

  #done(stream: Http2Stream, reset: boolean): void {
    if (reset && ++this.#resets === maxResets) {
      this.#retired = true;
      this.#origin.removeSession(this);
    }
    if (!this.#streams.delete(stream) || this.#streams.size > 0) return;
    const { keepAlive, idleTimeout } = this.#origin.settings;
    if (this.#retired || !keepAlive) this.destroy();
    else if (idleTimeout > 0) {
      this.#idleUntil = performance.now() + idleTimeout;
      this.#origin.watch(this.#idleUntil);
    }
  }

  /** Stops accepting requests; running ones continue. */
  #over(): void {
    this.#retired = true;
    this.#origin.removeSession(this);
    if (this.#streams.size === 0) this.destroy();
  }

  /** Handles passed deadlines, and returns the next one. */
  sweep(now: number): number {
    if (this.#idleUntil <= now) {
      this.retire();
      return never;
    }
    let next = this.#idleUntil;
    for (const stream of [...this.#streams]) {
      if (stream.deadline <= now) runGuarded(stream, () => stream.expire(now));
      next = Math.min(next, stream.deadline);
    }
    return next;
  }

  /** Closes the session after the last stream has ended. */
  retire(): void {
    this.#over();
  }

  /** Closes immediately. */
  destroy(): void {
    this.#retired = true;
    this.#origin.removeSession(this);
    if (!this.#session.destroyed) this.#session.destroy(undefined, constants.NGHTTP2_NO_ERROR);
  }
}
