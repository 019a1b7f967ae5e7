/** One HTTP/3 connection to an upstream (RFC 9114). Each call is a stream. */
import { guarded, reportFault, runGuarded, taskOf, type Guarded } from '@sluice/base';
import { h3Error, Http3ClientConnection, type Http3ClientUser, type ResponseLimits } from '@sluice/http3';
import type { CloseReason, ConnectionUser } from '@sluice/quic';
import type { ClientCall } from './client-call.ts';
import { Http3Carrier, type CarrierOwner, type Outcome } from './http3-carrier.ts';
import type { OriginSettings } from './origin-settings.ts';
import { maxResets, type Session, type SessionOwner } from './session.ts';

const never = Number.POSITIVE_INFINITY;
const module = 'http.reverse_proxy.transport.http';
/** Interval between PING frames, in milliseconds. The frames keep the connection alive and detect its loss. */
const pingInterval = 10_000;
/**
 * After this number of consecutive timeouts without a response, new requests use another connection. The upstream may have restarted or
 * become unreachable.
 */
const maxUnanswered = 3;
/** Maximum number of header fields in a response. */
const maxFields = 65_536;
/** Maximum size of a field section, in bytes. All implementations support this value. */
const maxSection = 2 ** 30;

/** Callback that is called once, when the connection is established or has failed. */
export type Connected = (failure: CloseReason | null) => void;

export class Http3Session implements Session, Http3ClientUser, CarrierOwner, Guarded {
  readonly responseLimits: ResponseLimits;
  readonly settings: OriginSettings;
  isReused = false;
  readonly #connection = new Http3ClientConnection(this);
  readonly #origin: SessionOwner;
  #onConnected: Connected | null;
  readonly #carriers = new Set<Http3Carrier>();
  /** Calls that wait for the upstream's settings, or for the upstream to permit another stream. */
  #waiting: Http3Carrier[] = [];
  readonly #lulls = new Set<Http3Carrier>();
  readonly #runLulls = guarded(taskOf(module), () => this.#lull());
  #retired = false;
  #resets = 0;
  #idleUntil = never;
  #pingAt = never;

  constructor(origin: SessionOwner, onConnected: Connected) {
    this.#origin = origin;
    this.settings = origin.settings;
    this.#onConnected = onConnected;
    this.responseLimits = { bytes: Math.min(origin.settings.maxHeaderBytes, maxSection), count: maxFields };
  }

  /** Handler of the QUIC connection's events. */
  get user(): ConnectionUser {
    return this.#connection;
  }

  get usable(): boolean {
    const { quic, usable } = this.#connection;
    return usable && !this.#retired && (quic?.unanswered ?? 0) < maxUnanswered;
  }

  send(call: ClientCall): void {
    this.#idleUntil = never;
    const carrier = new Http3Carrier(this, call);
    this.#carriers.add(carrier);
    const awaitsSettings = call.request.upgrade !== '' && !this.#connection.hasSettings;
    if (awaitsSettings || this.#waiting.length > 0 || !this.#start(carrier)) this.#waiting.push(carrier);
  }

  #start(carrier: Http3Carrier): boolean {
    try {
      return carrier.start(this.#connection);
    } catch (error) {
      carrier.fault(error);
      return true;
    }
  }

  #sendWaiting(): void {
    while (this.#waiting.length > 0 && this.#connection.hasSettings) {
      const [first] = this.#waiting;
      if (first === undefined || !this.#start(first)) return;
      this.#waiting.shift();
    }
  }

  // Connection

  onConnected(): void {
    this.#pingAt = performance.now() + pingInterval;
    this.watch(this.#pingAt);
    this.#settle(null);
  }

  #settle(failure: CloseReason | null): void {
    const onConnected = this.#onConnected;
    this.#onConnected = null;
    onConnected?.(failure);
  }

  onSettings(): void {
    this.#sendWaiting();
  }

  onStreamLimit(): void {
    this.#sendWaiting();
  }

  onStreamClosed(): void {
    this.#sendWaiting();
  }

  onGoAway(): void {
    this.retire();
  }

  onClosed(reason: CloseReason): void {
    this.#settle(reason);
    this.#retired = true;
    this.#pingAt = this.#idleUntil = never;
    this.#origin.sessionEnded(this);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const carrier of waiting) carrier.unsent();
  }

  fault(error: unknown): void {
    reportFault({ part: 'connection', error, module });
  }

  // Carriers

  watch(deadline: number): void {
    this.#origin.watch(deadline);
  }

  lullSoon(carrier: Http3Carrier): void {
    if (this.#lulls.size === 0) process.nextTick(this.#runLulls);
    this.#lulls.add(carrier);
  }

  #lull(): void {
    const carriers = [...this.#lulls];
    this.#lulls.clear();
    for (const carrier of carriers) runGuarded(carrier, () => carrier.lull());
  }

  done(carrier: Http3Carrier, outcome: Outcome): void {
    if (outcome === 'complete') this.isReused = true;
    const at = this.#waiting.indexOf(carrier);
    if (at >= 0) this.#waiting.splice(at, 1);
    if (outcome === 'cancelled' && ++this.#resets === maxResets) {
      this.#retired = true;
      this.#origin.removeSession(this);
    }
    if (!this.#carriers.delete(carrier) || this.#carriers.size > 0) return;
    const { keepAlive, idleTimeout } = this.settings;
    if (this.#retired || !keepAlive) this.destroy();
    else if (idleTimeout > 0) {
      this.#idleUntil = performance.now() + idleTimeout;
      this.watch(this.#idleUntil);
    }
  }

  sweep(now: number): number {
    if (this.#idleUntil <= now) {
      this.retire();
      return never;
    }
    if (this.#pingAt <= now) {
      this.#connection.quic?.ping();
      this.#pingAt = now + pingInterval;
    }
    let next = Math.min(this.#idleUntil, this.#pingAt);
    for (const carrier of [...this.#carriers]) {
      if (carrier.deadline <= now) runGuarded(carrier, () => carrier.expire(now));
      next = Math.min(next, carrier.deadline);
    }
    return next;
  }

  retire(): void {
    this.#retired = true;
    this.#origin.removeSession(this);
    if (this.#carriers.size === 0) this.destroy();
  }

  destroy(): void {
    this.#retired = true;
    this.#origin.removeSession(this);
    this.#connection.end(h3Error.noError);
  }
}
