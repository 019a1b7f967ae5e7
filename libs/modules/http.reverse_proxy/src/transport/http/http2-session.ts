/** One HTTP/2 connection to an upstream (RFC 9113), with or without TLS. Each call is a stream. */
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import { guarded, runGuarded, taskOf } from '@sluice/base';
import type { ClientCall } from './client-call.ts';
import { Http2Stream } from './http2-stream.ts';
import { maxResets, type Session, type SessionOwner } from './session.ts';

const never = Number.POSITIVE_INFINITY;

/** An HTTP/2 connection. The origin that created it owns it. */
export class Http2Session implements Session {
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
    const task = taskOf('http.reverse_proxy.transport.http');
    const over = guarded(task, () => this.#over());
    this.#session.on('goaway', over);
    this.#session.on('error', over);
    this.#session.on(
      'close',
      guarded(task, () => {
        this.#over();
        this.#origin.sessionEnded(this);
      }),
    );
    socket.resume();
  }

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

  /** Marks the connection as unusable for new requests. Requests in flight continue. */
  #over(): void {
    this.#retired = true;
    this.#origin.removeSession(this);
    if (this.#streams.size === 0) this.destroy();
  }

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

  retire(): void {
    this.#over();
  }

  destroy(): void {
    this.#retired = true;
    this.#origin.removeSession(this);
    if (!this.#session.destroyed) this.#session.destroy(undefined, constants.NGHTTP2_NO_ERROR);
  }
}
