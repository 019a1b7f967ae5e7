/**
 * Upstream connections to one address. A call uses an idle connection, or a new connection if the limit permits it. Otherwise, the call
 * waits for the next connection that becomes idle.
 */
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { guarded, runGuarded, timeOfRead, itemAt } from '@sluice/base';
import {
  isUpstreamError,
  UpstreamError,
  type DialAddress,
  type UpstreamCall,
  type UpstreamConnections,
  type UpstreamRequest,
  type UpstreamSink,
} from '@sluice/http-app';
import { LineMemory } from '@sluice/http1';
import { Dialing, type DialTarget } from './dialing.ts';
import { ClientCall, type CallOrigin } from './client-call.ts';
import { Http1Connection, type ConnectionOwner } from './http1-connection.ts';
import { Http2Session } from './http2-session.ts';
import { isOutOfDescriptors } from './out-of-descriptors.ts';
import type { OriginPlace, OriginPool } from './origin-pool.ts';
import type { OriginSettings } from './origin-settings.ts';
import type { Session, SessionOwner } from './session.ts';

/** An upstream address in a connection pool. */
export class Origin implements CallOrigin, ConnectionOwner, SessionOwner {
  readonly key: string;
  readonly settings: OriginSettings;
  readonly address: DialAddress;
  /** Prefix that turns request targets into absolute URLs for a forward proxy. Empty if the targets remain relative. */
  readonly targetPrefix: string;
  readonly lines: LineMemory = new LineMemory();
  readonly #pool: OriginPool<Origin>;
  readonly #target: DialTarget;
  readonly #connections = new Set<Http1Connection>();
  /** Idle connections. The most recently used one is last. */
  readonly #idle: Http1Connection[] = [];
  #dialing = 0;
  readonly #waiting: ClientCall[] = [];
  #session: Session | null = null;
  /** Sessions that accept no more requests but still have some in flight. */
  readonly #leaving = new Set<Session>();
  /** True if one connection can serve concurrent requests (HTTP/2 and HTTP/3). `null` until the first connection is established. */
  #multiplexes: boolean | null;

  constructor(pool: OriginPool<Origin>, { key, address, target, targetPrefix }: OriginPlace) {
    this.#pool = pool;
    this.key = key;
    this.settings = pool.settings;
    this.address = address;
    this.targetPrefix = targetPrefix;
    this.#target = target;
    const { h2c, http1, http2, http3 } = pool.settings;
    this.#multiplexes = h2c || http3 ? true : target.secure && http2 ? (http1 ? null : true) : false;
  }

  /** Sends a request as soon as a connection is available. */
  send(request: UpstreamRequest, sink: UpstreamSink): UpstreamCall {
    const call = new ClientCall(this, request, sink);
    if (this.#session !== null && this.#session.usable && this.#isShared(request)) {
      this.#session.send(call);
      return call;
    }
    const connection = this.#takeIdle();
    if (connection !== null) connection.start(call);
    else this.dialFor(call);
    return call;
  }

  /** Reports whether a request may share a connection with others. An upgrade request takes over its connection, except in HTTP/3. */
  #isShared({ upgrade }: UpstreamRequest): boolean {
    return upgrade === '' || this.settings.http3;
  }

  #takeIdle(): Http1Connection | null {
    if (this.#idle.length === 0) return null;
    const now = performance.now();
    for (;;) {
      const connection = this.#idle.pop();
      if (connection === undefined) return null;
      this.#pool.idle--;
      if (connection.idleUntil > now) return connection;
      connection.close();
    }
  }

  /** Opens a connection for a call, or queues it. */
  dialFor(call: ClientCall): void {
    const { maxConnections } = this.settings;
    const limited = maxConnections > 0 && this.#connections.size + this.#dialing >= maxConnections;
    // The first connection determines the HTTP version. For HTTP/2 and HTTP/3, one connection is sufficient, so wait for the first attempt.
    const undecided = this.#dialing > 0 && (this.#multiplexes ?? true) && this.#isShared(call.request);
    if (limited || undecided) {
      this.#waiting.push(call);
      return;
    }
    this.#dialing++;
    this.#pool.keep(this);
    const { http3 } = this.#pool;
    const failed = guarded(call, (error: unknown) => this.#notDialed(call, error));
    if (http3 === null) {
      const dialing = new Dialing(this.settings, this.#target, call.request);
      call.cancelDial = () => dialing.cancel();
      dialing.run().then(
        guarded(call, ({ socket, protocol }) => this.#dialed(call, socket, protocol)),
        failed,
      );
      return;
    }
    const dialing = http3.dial(this.#target, this);
    call.cancelDial = () => dialing.cancel();
    dialing.run().then(
      guarded(call, (session) => {
        if (!this.#isUnneeded(call, session)) this.#share(session, call);
      }),
      failed,
    );
  }

  /** Closes a newly established connection if it is no longer needed. Returns true if the connection was closed. */
  #isUnneeded(call: ClientCall, connection: { destroy(): void }): boolean {
    this.#dialing--;
    call.cancelDial = null;
    if (!call.aborted && !this.#pool.closed) return false;
    connection.destroy();
    call.failed(new UpstreamError('closed', 'the proxy closed its upstream connections'));
    this.#serveWaiting();
    return true;
  }

  /** Uses the session for the call and for all later requests. */
  #share(session: Session, call: ClientCall): void {
    this.#multiplexes = true;
    if (this.#session !== null) this.#leaving.add(this.#session);
    this.#session = session;
    session.send(call);
    for (const waiting of this.#waiting.splice(0)) if (!waiting.aborted) session.send(waiting);
  }

  #dialed(call: ClientCall, socket: Duplex, protocol: string): void {
    if (this.#isUnneeded(call, socket)) return;
    if ((protocol === 'h2' || this.settings.h2c) && this.#isShared(call.request)) {
      this.#share(new Http2Session(socket, this), call);
      return;
    }
    if (this.#multiplexes === null) this.#multiplexes = false;
    const connection = new Http1Connection(socket, this);
    this.#connections.add(connection);
    connection.start(call);
    this.#serveWaiting();
  }

  #notDialed(call: ClientCall, error: unknown): void {
    this.#dialing--;
    call.cancelDial = null;
    const failure = isUpstreamError(error) ? error : new UpstreamError('dial', (error as Error).message, error);
    if (isOutOfDescriptors(failure)) {
      this.#shareConnections(call, failure);
      return;
    }
    if (!call.aborted) call.failed(failure);
    this.#serveWaiting();
    this.#checkEmpty();
  }

  /**
   * Queues the call for one of the existing connections, because no file descriptor is available for a new one. If there are no
   * connections, fails the call.
   */
  #shareConnections(call: ClientCall, failure: UpstreamError): void {
    if (this.#connections.size === 0 && this.#dialing === 0) {
      for (const waiting of [call, ...this.#waiting.splice(0)]) if (!waiting.aborted) waiting.failed(failure);
      this.#checkEmpty();
      return;
    }
    if (call.aborted) return;
    const idle = this.#takeIdle();
    if (idle !== null) {
      idle.start(call);
      return;
    }
    this.#waiting.push(call);
    // Set a timeout, because the requests on the existing connections may never end.
    const giveUp = guarded(call, () => {
      if (!this.#waiting.includes(call)) return;
      this.forget(call);
      if (!call.aborted) call.failed(failure);
    });
    setTimeout(giveUp, this.settings.dialTimeout).unref();
  }

  /** Assigns idle connections to queued calls. */
  #serveWaiting(): void {
    while (this.#waiting.length > 0) {
      if (itemAt(this.#waiting, 0).aborted) {
        this.#waiting.shift();
        continue;
      }
      const { maxConnections } = this.settings;
      if (maxConnections > 0 && this.#connections.size + this.#dialing >= maxConnections) return;
      if (this.#dialing > 0 && this.#multiplexes !== false) return;
      this.dialFor(this.#waiting.shift() as ClientCall);
    }
  }

  /** Removes a call from the queue when the call is aborted. Does nothing if the call is not queued. */
  forget(call: ClientCall): void {
    const at = this.#waiting.indexOf(call);
    if (at >= 0) this.#waiting.splice(at, 1);
    this.#checkEmpty();
  }

  /** Called when a connection becomes idle. `time` is the upstream's keep-alive timeout, in milliseconds. */
  release(connection: Http1Connection, time: number): void {
    for (let call = this.#waiting.shift(); call !== undefined; call = this.#waiting.shift()) {
      if (call.aborted) continue;
      connection.start(call);
      return;
    }
    const { maxIdle, maxIdlePerAddress, idleTimeout } = this.settings;
    const full = this.#idle.length >= maxIdlePerAddress || (maxIdle > 0 && this.#pool.idle >= maxIdle);
    if (full || this.#pool.retired) {
      connection.close();
      return;
    }
    const limit = Math.min(time, idleTimeout > 0 ? idleTimeout : Number.POSITIVE_INFINITY);
    connection.keep(timeOfRead() + limit);
    this.#pool.idle++;
    this.#idle.push(connection);
    if (limit !== Number.POSITIVE_INFINITY) this.#pool.watch(connection.deadline);
  }

  /** Called when a connection is closed or its socket was handed over. */
  remove(connection: Http1Connection): void {
    if (!this.#connections.delete(connection)) return;
    const at = this.#idle.indexOf(connection);
    if (at >= 0) {
      this.#idle.splice(at, 1);
      this.#pool.idle--;
    }
    this.#serveWaiting();
    this.#checkEmpty();
  }

  /** Called when a session accepts no more requests. */
  removeSession(session: Session): void {
    if (this.#session !== session) return;
    this.#session = null;
    this.#leaving.add(session);
  }

  sessionEnded(session: Session): void {
    if (this.#session === session) this.#session = null;
    this.#leaving.delete(session);
    this.#checkEmpty();
  }

  #sessions(): Session[] {
    return this.#session === null ? [...this.#leaving] : [this.#session, ...this.#leaving];
  }

  get connections(): UpstreamConnections {
    const open = this.#connections.size + this.#sessions().length;
    return { address: this.address.text, open, idle: this.#idle.length, waiting: this.#waiting.length };
  }

  #checkEmpty(): void {
    const isEmpty = this.#connections.size === 0 && this.#dialing === 0 && this.#waiting.length === 0;
    if (isEmpty && this.#session === null && this.#leaving.size === 0) this.#pool.drop(this);
  }

  /** Schedules a check at a connection's deadline. */
  watch(deadline: number): void {
    this.#pool.watch(deadline);
  }

  /** Handles expired deadlines. Returns the next deadline. */
  sweep(now: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const connection of [...this.#connections]) {
      if (connection.deadline <= now) runGuarded(connection, () => connection.expire(now));
      if (connection.deadline < next) next = connection.deadline;
    }
    for (const session of this.#sessions()) next = Math.min(next, session.sweep(now));
    return next;
  }

  retire(): void {
    for (const connection of [...this.#idle]) connection.close();
    this.#session?.retire();
  }

  close(): void {
    for (const connection of [...this.#connections]) connection.destroy();
    for (const session of this.#sessions()) session.destroy();
  }
}
