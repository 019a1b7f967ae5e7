/** Carries one upstream request and its response on an HTTP/3 connection. */
import { guarded, reportFault, type Guarded } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';
import type {
  RequestFailure,
  Http3ClientConnection,
  Http3ClientStream,
  ResponseFields,
  ResponseOwner,
} from '@sluice/http3';
import { UpstreamError } from '@sluice/http-app';
import type { Carrier, ClientCall } from './client-call.ts';
import { requestFields } from './http3-fields.ts';
import { Http3Sender } from './http3-sender.ts';
import type { OriginSettings } from './origin-settings.ts';
import { interimCost, maxInterim } from './session.ts';
import { addUpgradeFields, WebSocketTunnel } from './websocket-tunnel.ts';

const never = Number.POSITIVE_INFINITY;
const nothing = Buffer.alloc(0);

/** Outcome of a call on an HTTP/3 stream. `cancelled` means that the proxy cancelled the call. */
export type Outcome = 'complete' | 'cancelled' | 'failed';

/** Maximum number of times to repeat a request that the upstream rejected without processing it. */
const maxRejections = 5;

/** HTTP/3 session to which a carrier belongs. */
export interface CarrierOwner {
  readonly settings: OriginSettings;
  /** True if the connection was used before. The upstream may then have closed it before receiving the request. */
  readonly isReused: boolean;
  watch(deadline: number): void;
  /** Schedules a call of {@link Http3Carrier.lull} at the end of the current event loop turn. */
  lullSoon(carrier: Http3Carrier): void;
  /** Called when a call has ended. */
  done(carrier: Http3Carrier, outcome: Outcome): void;
}

export class Http3Carrier implements Carrier, ResponseOwner, Guarded {
  /** Next time to check the request's deadline, as measured by `performance.now()`. */
  deadline = never;
  readonly call: ClientCall;
  readonly #owner: CarrierOwner;
  #stream: Http3ClientStream | null = null;
  #sender: Http3Sender | null = null;
  #tunnel: WebSocketTunnel | null = null;
  #over = false;
  #responded = false;
  /** True while the sink is paused. Received bytes are collected in {@link #kept}, whose size the receive window limits. */
  #paused = false;
  #kept: Buffer[] = [];
  /** True if the response is complete, but the sink has not received all of it yet. */
  #isWhole = false;
  #trailers: HeaderMap | null = null;
  /** Size of the interim responses that the client has not read yet, in bytes. */
  #interim = 0;

  constructor(owner: CarrierOwner, call: ClientCall) {
    this.#owner = owner;
    this.call = call;
    call.connection = this;
  }

  /** Sends the request. Returns false if the upstream's stream limit has been reached. */
  start(connection: Http3ClientConnection): boolean {
    const { request } = this.call;
    const protocol = connection.hasConnect ? request.upgrade : '';
    const stream = connection.request(this, requestFields(this.call, protocol), request.method === 'HEAD');
    if (stream === null) return false;
    this.#stream = stream;
    const { responseHeaderTimeout, readTimeout } = this.#owner.settings;
    this.#watch(responseHeaderTimeout > 0 ? responseHeaderTimeout : readTimeout);
    if (protocol === '') {
      this.#sender = new Http3Sender(stream, request, (error) => this.#giveUp(error));
      this.#sender.start();
    } else this.#tunnel = new WebSocketTunnel(stream);
    return true;
  }

  // The response

  /** Handles an interim response. Flow control doesn't apply to interim responses, so their total size is limited. */
  onInterim({ status, headers }: ResponseFields): void {
    if (this.#over) return;
    if (this.call.sink.onInformational(status, headers)) {
      this.#interim = 0;
      return;
    }
    for (const [name, value] of headers) this.#interim += interimCost + name.length + value.length;
    this.#interim += interimCost;
    if (this.#interim > maxInterim)
      this.#giveUp(
        new UpstreamError('malformed', 'the upstream sends interim responses faster than the client reads them'),
      );
  }

  onHead({ status, headers, contentLength }: ResponseFields, ended: boolean): void {
    const { call } = this;
    if (this.#over) return;
    this.#responded = true;
    const tunnel = this.#tunnel;
    if (tunnel !== null && status >= 200 && status <= 299) {
      this.#switchProtocols(tunnel, headers);
      return;
    }
    this.#tunnel = null;
    const length = ended && contentLength < 0 ? 0 : contentLength;
    const decoded = call.asksForGzip && length !== 0 && call.decode(headers);
    this.#watch(this.#owner.settings.readTimeout);
    const flows = call.sink.onHead(status, 'HTTP/3.0', headers, decoded ? -1 : length);
    if (this.#over) return;
    if (!flows) this.#pause();
    // Clients that stream in both directions, such as gRPC clients, may wait for the response head before they send more.
    else if (!ended) this.#owner.lullSoon(this);
  }

  #switchProtocols(tunnel: WebSocketTunnel, headers: HeaderMap): void {
    const { call } = this;
    const { upgrade, headers: sent } = call.request;
    addUpgradeFields(headers, upgrade, sent.get('sec-websocket-key'));
    this.#over = true;
    this.deadline = never;
    call.connection = null;
    tunnel.once(
      'close',
      guarded(this, () => this.#owner.done(this, 'complete')),
    );
    call.sink.onUpgrade(headers, tunnel, nothing);
  }

  onData(bytes: Buffer): void {
    if (this.#tunnel !== null) this.#tunnel.received(bytes);
    else if (this.#paused) this.#kept.push(Buffer.from(bytes));
    else this.#deliver(bytes);
  }

  #deliver(bytes: Buffer): void {
    if (this.#over) return;
    const { sink } = this.call;
    const flows = sink.borrows ? sink.onSpan(bytes, 0, bytes.length) : sink.onData(Buffer.from(bytes));
    this.#stream?.credit(bytes.length);
    if (this.#over) return;
    if (flows) this.#watch(this.#owner.settings.readTimeout);
    else this.#pause();
    this.#owner.lullSoon(this);
  }

  #pause(): void {
    this.#paused = true;
    this.deadline = never;
  }

  /** Notifies the sink that no more response data is available at the moment. */
  lull(): void {
    if (!this.#over) this.call.sink.onLull();
  }

  onEnd(trailers: HeaderMap | null): void {
    if (this.#tunnel !== null) {
      this.#tunnel.ended();
      return;
    }
    this.#isWhole = true;
    this.#trailers = trailers;
    if (!this.#paused) this.#finish();
  }

  #finish(): void {
    if (this.#over) return;
    this.#end('complete');
    this.call.sink.onEnd(this.#trailers);
  }

  resume(): void {
    if (!this.#paused || this.#over) return;
    this.#paused = false;
    const kept = this.#kept;
    this.#kept = [];
    for (const [index, piece] of kept.entries()) {
      if (this.#isPaused) {
        this.#kept = kept.slice(index);
        return;
      }
      this.#deliver(piece);
    }
    if (this.#isPaused || this.#over) return;
    if (this.#isWhole) this.#finish();
    else this.#watch(this.#owner.settings.readTimeout);
  }

  get #isPaused(): boolean {
    return this.#paused;
  }

  // The request

  onRoom(): void {
    if (this.#tunnel === null) this.#sender?.resume();
    else this.#tunnel.room();
  }

  onStopped(): void {
    this.onRoom();
  }

  // The end

  onFailed(kind: RequestFailure, reason: string): void {
    if (this.#tunnel !== null && this.#over) {
      this.#tunnel.destroy(new UpstreamError('closed', reason));
      return;
    }
    if (this.#over) return;
    const { call } = this;
    const isRejected = kind === 'rejected' && ++call.rejections <= maxRejections;
    const mayRepeat = isRejected || (kind === 'lost' && this.#owner.isReused);
    this.#end('failed');
    if (mayRepeat && !this.#responded && call.repeat()) return;
    call.failed(new UpstreamError(kind === 'unresponsive' ? 'timeout' : 'closed', reason));
  }

  /** Fails the request, because a callback threw an exception. */
  fault(error: unknown): void {
    if (this.#over) reportFault({ part: 'exchange', error, module: 'http.reverse_proxy.transport.http' });
    else this.#giveUp(error as Error);
  }

  abandon(): void {
    if (this.#over) return;
    this.#end('cancelled');
    this.#stream?.cancel();
  }

  #giveUp(error: Error): void {
    if (this.#over) return;
    this.abandon();
    this.call.failed(error);
  }

  /** Called if the connection closed before the request was sent. */
  unsent(): void {
    if (this.#over) return;
    this.#end('failed');
    if (!this.call.aborted) this.call.dialAgain();
  }

  #end(outcome: Outcome): void {
    this.#over = true;
    this.deadline = never;
    this.#kept = [];
    this.call.connection = null;
    this.#owner.done(this, outcome);
  }

  /** Sets a deadline: the request must make progress within `time` milliseconds. 0 means no limit. */
  #watch(time: number): void {
    this.deadline = time > 0 ? performance.now() + time : never;
    if (time > 0) this.#owner.watch(this.deadline);
  }

  /** Fails the request if its deadline has passed. */
  expire(now: number): void {
    if (this.deadline <= now) this.#giveUp(new UpstreamError('timeout', 'the upstream did not respond in time'));
  }
}
