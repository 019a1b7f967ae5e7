/** An HTTP/3 connection. As in HTTP/2, each stream runs as an exchange. */
import { reportFault, runGuarded } from '@sluice/base';
import type { QuicHandshake } from '@sluice/contracts';
import type { FieldLimits, RequestFields } from '@sluice/http2';
import { h3Error, Http3ServerConnection, type Http3Handler, type Http3Stream } from '@sluice/http3';
import type { CloseReason, ConnectionUser, QuicConnection } from '@sluice/quic';
import type { EngineConnection, EngineHost } from '../engine-host.ts';
import type { SocketFacts } from '../facts.ts';
import { readHead } from '../http2/head.ts';
import { Http2Exchange, type Http2Place } from '../http2/stream.ts';
import { Unsent } from '../http2/unsent.ts';
import type { ServerLimits } from '../server-handle.ts';

const never = Number.POSITIVE_INFINITY;
/** Maximum number of header fields per request. */
const maxFields = 2000;
/** Maximum time after the first GOAWAY frame during which new requests are accepted, in milliseconds. */
const shutdownTime = 500;
/** Maximum interval between checks for responses that have ended but have not been fully sent, in milliseconds. */
const maxSweepInterval = 1000;
/** Minimum time for the delivery of responses that have ended when a shutdown begins, in milliseconds. */
const minDeliveryTime = 5000;
/** Interval between checks, after {@link minDeliveryTime}, whether the client is lost, in milliseconds. */
const lostClientCheckInterval = 1000;
/** Number of consecutive unanswered probe timeouts after which a client is considered lost during a shutdown. */
const lostClientTimeouts = 3;

export class Http3Connection implements EngineConnection, Http3Handler, Http2Place {
  deadline = never;
  readonly facts: SocketFacts;
  /** The QUIC connection. Set before the handshake. */
  quic: QuicConnection | null = null;
  readonly unsent: Unsent = new Unsent(() => {
    this.#host.reportCut(
      this.facts,
      'client does not read its responses, and unsent responses exceed the memory limit',
    );
    this.cut();
  });
  fieldLimits: FieldLimits;
  /** Server limits from which {@link fieldLimits} are derived. */
  #limits: ServerLimits;
  readonly #host: EngineHost;
  readonly #connection: Http3ServerConnection = new Http3ServerConnection(this);
  /** The TLS handshake. `null` once the handshake is complete. */
  #handshake: QuicHandshake | null = null;
  #idleDeadline = never;
  /** Deadline for the handshake. Requests in early data do not extend this deadline. */
  #handshakeDeadline: number;
  #shutdownDeadline = never;
  /** Time of the next check during a shutdown whether the client still acknowledges packets. */
  #lostClientCheckAt = never;
  #sweepAt = never;

  constructor(host: EngineHost, facts: SocketFacts) {
    this.#host = host;
    this.facts = facts;
    this.#limits = host.target.limits;
    this.fieldLimits = fieldLimitsOf(this.#limits);
    host.add(this);
    const { readHeaderTimeout } = this.#limits;
    this.#handshakeDeadline = readHeaderTimeout > 0 ? performance.now() + readHeaderTimeout : never;
    this.watchUntil(this.#handshakeDeadline);
  }

  /** Receiver of the events of the QUIC connection. */
  get user(): ConnectionUser {
    return this.#connection;
  }

  /** Sets the handshake, which provides the TLS details once it is complete. */
  set handshake(handshake: QuicHandshake) {
    this.#handshake = handshake;
  }

  onHandshakeComplete(): void {
    this.facts.tls = this.#handshake?.info ?? null;
    this.#handshake = null;
    this.#handshakeDeadline = never;
    if (this.#connection.streams.size === 0) this.#setIdle(this.#host.target.limits.idleTimeout);
    if (this.#host.retired) this.retire();
  }

  onRequest(stream: Http3Stream, fields: RequestFields): void {
    // If there are no TLS details, the handshake is still in progress, so this request is early data. The server accepts early data only if
    // early data is enabled.
    this.facts.tls ??= this.#handshake?.info ?? null;
    const { limits } = this.#host.target;
    if (limits !== this.#limits) {
      this.#limits = limits;
      this.fieldLimits = fieldLimitsOf(limits);
    }
    const head = readHead(fields, limits.keptHeaders, 'HTTP/3.0');
    if (typeof head === 'number') {
      stream.respond([':status', String(head)], true);
      stream.stop();
      return;
    }
    const server = this.#host.serverFor(head, this.facts);
    const exchange = new Http2Exchange(stream, head, this, server);
    stream.owner = exchange;
    this.unsent.streams = this.#connection.streams.size;
    this.#idleDeadline = never;
    if (this.#sweepAt === never) {
      this.#sweepAt = performance.now() + this.#sweepInterval();
      this.watchUntil(this.#sweepAt);
    }
    this.watchUntil(exchange.deadline);
    exchange.run(server);
  }

  onStreamClosed(): void {
    const { size } = this.#connection.streams;
    this.unsent.streams = size;
    if (size === 0) this.#setIdle(this.#host.target.limits.idleTimeout);
  }

  onAbuse(reason: string): void {
    this.#host.reportCut(this.facts, `HTTP/3: ${reason}`);
  }

  onClosed(_reason: CloseReason): void {
    this.deadline = this.#idleDeadline = this.#handshakeDeadline = never;
    this.#shutdownDeadline = this.#lostClientCheckAt = this.#sweepAt = never;
    this.#host.delete(this);
  }

  fault(error: unknown): void {
    reportFault({ part: 'connection', error });
  }

  #setIdle(timeout: number): void {
    this.#idleDeadline = timeout > 0 ? performance.now() + timeout : never;
    this.watchUntil(this.#idleDeadline);
  }

  watchUntil(deadline: number): void {
    if (deadline >= this.deadline) return;
    this.deadline = deadline;
    this.#host.watch(deadline);
  }

  #deadlinesChanged(): void {
    let next = Math.min(
      this.#idleDeadline,
      this.#handshakeDeadline,
      this.#shutdownDeadline,
      this.#lostClientCheckAt,
      this.#sweepAt,
    );
    for (const exchange of this.#exchanges()) if (exchange.deadline < next) next = exchange.deadline;
    this.deadline = next;
    if (next !== never) this.#host.watch(next);
  }

  *#exchanges(): IterableIterator<Http2Exchange> {
    for (const { owner } of this.#connection.streams.values()) if (owner instanceof Http2Exchange) yield owner;
  }

  #sweepInterval(): number {
    const { timeout } = this.#host.target.limits.writePace;
    return timeout > 0 && timeout < maxSweepInterval ? timeout : maxSweepInterval;
  }

  expire(now: number): void {
    if (this.#idleDeadline <= now || this.#handshakeDeadline <= now) {
      this.#idleDeadline = this.#handshakeDeadline = never;
      this.cut();
      return;
    }
    if (this.#shutdownDeadline <= now) {
      this.#shutdownDeadline = never;
      this.#finishShutdown();
    }
    if (this.#lostClientCheckAt <= now) {
      if (this.#isClientLost()) {
        this.cut();
        return;
      }
      this.#lostClientCheckAt = now + lostClientCheckInterval;
    }
    for (const exchange of [...this.#exchanges()]) runGuarded(exchange, () => exchange.expire(now));
    if (this.#sweepAt <= now) {
      for (const exchange of this.#exchanges()) exchange.lookAfterUnsent();
      this.#sweepAt = this.#connection.streams.size > 0 ? now + this.#sweepInterval() : never;
    }
    this.#deadlinesChanged();
  }

  retire(): void {
    this.#connection.shutdown();
    this.#shutdownDeadline = performance.now() + shutdownTime;
    this.watchUntil(this.#shutdownDeadline);
  }

  finish(): void {
    if (this.quic?.complete === false) {
      this.cut();
      return;
    }
    if (this.#hasUnfinished()) {
      this.cut();
      return;
    }
    this.#finishShutdown();
  }

  /** Refuses new requests. Responses that have ended must still be delivered, but not to a client that is gone. */
  #finishShutdown(): void {
    this.#connection.finishShutdown();
    if (this.#connection.over || this.#lostClientCheckAt !== never) return;
    this.#lostClientCheckAt = performance.now() + minDeliveryTime;
    this.watchUntil(this.#lostClientCheckAt);
  }

  #isClientLost(): boolean {
    return (this.quic?.unanswered ?? 0) >= lostClientTimeouts && !this.#hasUnfinished();
  }

  #hasUnfinished(): boolean {
    for (const exchange of this.#exchanges()) if (!exchange.hasEnded) return true;
    return false;
  }

  cut(): void {
    // The HTTP/3 layer cannot end a connection during the handshake, so close the QUIC connection directly.
    if (this.quic?.complete === false) this.quic.close(h3Error.noError);
    else this.#connection.end(h3Error.noError);
  }
}

function fieldLimitsOf({ maxHeaderBytes, keptHeaders }: ServerLimits): FieldLimits {
  return { bytes: maxHeaderBytes, count: maxFields, kept: keptHeaders };
}
