/**
 * One HTTP/1.1 connection to an upstream (RFC 9112). It processes one request at a time and passes the response to a sink. The {@link
 * ConnectionOwner} assigns it to one call after another.
 */
import type { Duplex } from 'node:stream';
import { guarded, reportFault, type Guarded, isSameToken } from '@sluice/base';
import {
  type HeaderMap,
  type LineMemory,
  framingOf,
  keepAliveTimeout,
  persists,
  incomplete,
  refused,
  ResponseParser,
} from '@sluice/http1';
import { type SocketReader, UpstreamError, type UpstreamFailure, UpstreamSocket } from '@sluice/http-app';
import { askAtWriteFailure } from '../../common/write-failure.ts';
import type { Carrier, ClientCall } from './client-call.ts';
import { FramedBody } from '../../common/framed-body.ts';
import { LargeBuffer, largeSize } from './large-buffer.ts';
import type { OriginSettings } from './origin-settings.ts';
import { requestHead } from './request-head.ts';
import { RequestSender, type SendObserver } from './request-sender.ts';
import { UpstreamDeadlines } from './upstream-deadlines.ts';

/** Phase: no request is assigned to the connection. */
const idle = 0;
/** Phase: the connection waits for the response head or an interim response. */
const head = 1;
const body = 2;
/** Phase: the connection is closed, or its socket was handed over for an upgrade. */
const gone = 3;

/** Owners of the buffer being processed: the connection, the thread's read buffer, or the large buffer. */
const owned = 0;
const shared = 1;
const large = 2;

/** Minimum size of a body chunk that is lent to the receiver without copying, in bytes. Smaller chunks are copied. */
const minLent = 32 * 1024;

const never = Number.POSITIVE_INFINITY;
const module = 'http.reverse_proxy.transport.http';
const tooSlow = {
  head: 'the upstream did not send response headers in time',
  read: 'timed out reading from the upstream',
  write: 'timed out writing to the upstream',
};
/** Error for a connection that closed without a more specific reason. */
const closed = new Error('the connection to the upstream was closed');
/** Safety margin, in milliseconds. An idle connection is closed this much earlier than the keep-alive timeout that the upstream announced. */
const keepAliveMargin = 1000;

/** Origin that creates connections and assigns them to calls. */
export interface ConnectionOwner {
  readonly settings: OriginSettings;
  /** Cache of header lines from the origin's responses. */
  readonly lines: LineMemory;
  /** Prefix that turns request targets into absolute URLs for a forward proxy. Empty if the targets remain relative. */
  readonly targetPrefix: string;
  /** Called when a connection becomes idle. `time` is the upstream's keep-alive timeout, in milliseconds. */
  release(connection: Http1Connection, time: number): void;
  /** Called when a connection is closed or its socket was handed over. */
  remove(connection: Http1Connection): void;
  watch(deadline: number): void;
}

/** An HTTP/1.1 connection. The origin that created it owns it. */
export class Http1Connection implements Carrier, SendObserver, SocketReader, Guarded {
  /** Time after which the idle connection is not reused; see {@link keep}. */
  idleUntil = never;
  readonly #socket: Duplex;
  readonly #origin: ConnectionOwner;
  readonly #parser: ResponseParser;
  readonly #sender: RequestSender;
  readonly #large = new LargeBuffer();
  #phase = idle;
  #call: ClientCall | null = null;
  /** Number of requests sent on the connection. */
  #served = 0;
  /** True once any part of the response has arrived. */
  #responded = false;
  /** True while the request body waits for `100 Continue`. */
  #continueAwaited = false;
  readonly #body = new FramedBody();
  /** True if the response body is large and is read into the large buffer. */
  #isLarge = false;
  /** True if the connection can be reused after this response. */
  #persistent = false;
  #keepAlive = 0;
  /** True while the sink is paused. Meanwhile, the end of the connection and the bytes in {@link #rest} are not delivered. */
  #paused = false;
  #rest: Buffer | null = null;
  /** True if the upstream closed the connection while the sink was paused. */
  #hasEnded = false;
  #endError: Error | null = null;
  #running = false;
  /** True during a socket read, until the buffer for the next read is selected. */
  #reading = false;
  readonly #deadlines: UpstreamDeadlines;

  constructor(socket: Duplex, origin: ConnectionOwner) {
    this.#socket = socket;
    this.#origin = origin;
    this.#parser = new ResponseParser(origin.settings.maxHeaderBytes, origin.lines);
    this.#sender = new RequestSender(socket, this);
    this.#deadlines = new UpstreamDeadlines(origin);
    if (socket instanceof UpstreamSocket) socket.reader = this;
    else socket.on('data', this.#onSocketData);
    socket.on('end', this.#onSocketEnd);
    socket.on('drain', this.#onDrain);
    socket.on('error', this.#onSocketError);
    socket.on('close', this.#onClose);
    askAtWriteFailure(socket, () => this.#readsOn());
    socket.resume();
  }

  // Sending the request

  /** Sends the request of a call. Call only while the connection is idle. */
  start(call: ClientCall): void {
    const { request } = call;
    const { settings } = this.#origin;
    let text: string;
    try {
      text = requestHead(call, this.#origin.targetPrefix, settings.style);
    } catch (error) {
      this.#origin.release(this, never);
      call.failed(error as Error);
      return;
    }
    this.#call = call;
    call.connection = this;
    this.#phase = head;
    this.#served++;
    this.#responded = this.#persistent = this.#paused = this.#isLarge = this.#hasEnded = false;
    this.#keepAlive = 0;
    this.#deadlines.forget();
    this.#deadlines.awaitMore(settings.readTimeout);
    if (
      settings.expectContinueTimeout > 0 &&
      request.body.length !== 0 &&
      isSameToken(request.headers.get('expect') ?? '', '100-continue')
    ) {
      this.#continueAwaited = true;
      this.#sender.startHead(text);
      this.#deadlines.awaitHead(settings.expectContinueTimeout);
    } else this.#sender.start(call, text);
  }

  #startBody(call: ClientCall): void {
    this.#continueAwaited = false;
    this.#deadlines.headCame();
    this.#sender.startBody(call);
  }

  onRequestSent(): void {
    const { responseHeaderTimeout } = this.#origin.settings;
    if (responseHeaderTimeout > 0 && this.#phase === head) this.#deadlines.awaitHead(responseHeaderTimeout);
  }

  onRequestFailed(error: Error): void {
    const call = this.#takeCall();
    this.#discard();
    call?.failed(error);
  }

  onRequestBlocked(): void {
    this.#deadlines.awaitRoom(this.#origin.settings.writeTimeout);
  }

  /** Called when the upstream has closed its side of the connection. Returns true if a response may still be readable. */
  #readsOn(): boolean {
    if (this.#call === null) return false;
    this.#sender.breakOff();
    this.#continueAwaited = false;
    this.#deadlines.roomCame();
    return true;
  }

  readonly #onDrain = guarded(this, () => {
    this.#deadlines.roomCame();
    this.#sender.drained();
  });

  // Receiving the response

  readonly #onSocketData = guarded(this, (chunk: Buffer) => this.#take(chunk, chunk.length, owned));

  onBytes(bytes: Buffer, end: number): void {
    // A read that fills the whole buffer is probably part of a larger transfer.
    if (end === bytes.length && this.#phase > head && this.#body.lasts) this.#isLarge = true;
    this.#reading = true;
    try {
      this.#take(bytes, end, bytes.length === largeSize ? large : shared);
    } catch (error) {
      this.fault(error);
    }
    this.#reading = false;
  }

  readBuffer(): Buffer | null {
    return this.#isLarge ? this.#large.get() : null;
  }

  #take(bytes: Buffer, end: number, owner: number): void {
    this.#deadlines.received(this.#origin.settings.readTimeout);
    const rest = this.#rest;
    if (rest === null) {
      this.#run(bytes, end, owner);
      return;
    }
    this.#rest = null;
    const whole = Buffer.concat([rest, bytes.subarray(0, end)]);
    this.#run(whole, whole.length, owned);
  }

  #run(bytes: Buffer, end: number, owner: number): void {
    const call = this.#call;
    if (call === null) {
      // Close the connection, because data received without a request would be parsed as the next response.
      if (this.#phase === idle) this.#discard();
      return;
    }
    this.#responded = true;
    this.#running = true;
    let at = 0;
    while (at < end && this.#call === call && !this.#paused) {
      at = this.#phase === head ? this.#readHead(call, bytes, at, end) : this.#readBody(bytes, at, end, owner);
    }
    this.#running = false;
    if (this.#call !== call) return;
    if (at < end) {
      const rest = bytes.subarray(at, end);
      this.#rest = owner === shared ? Buffer.from(rest) : rest;
      if (owner === large) this.#large.giveAway();
    }
    if (this.#phase !== head) call.sink.onLull();
  }

  #readHead(call: ClientCall, bytes: Buffer, at: number, end: number): number {
    const parser = this.#parser;
    const next = parser.feed(bytes, at, end);
    if (next === incomplete) return end;
    if (next === refused) {
      this.#fail('malformed', `the upstream sent a malformed response: ${parser.problem}`);
      return end;
    }
    const { status } = parser;
    if (status >= 200) this.#beginBody(call, next < end);
    else if (status === 101) {
      this.#switchProtocols(call, Buffer.from(bytes.subarray(next, end)));
      return end;
    } else {
      if (status === 100 && this.#continueAwaited) this.#startBody(call);
      const flows = call.sink.onInformational(status, parser.headers);
      if (!flows && this.#call === call) this.#pause();
    }
    return next;
  }

  #switchProtocols(call: ClientCall, rest: Buffer): void {
    if (call.request.upgrade === '') {
      this.#fail('malformed', 'the upstream switched protocols unexpectedly');
      return;
    }
    this.#takeCall();
    this.#phase = gone;
    this.#deadlines.forget();
    this.#origin.remove(this);
    const socket = this.#socket;
    this.#unlisten();
    socket.pause();
    call.sink.onUpgrade(this.#parser.headers, socket, rest);
  }

  /** Starts the response body. `more` is true if bytes arrived after the head. */
  #beginBody(call: ClientCall, more: boolean): void {
    const parser = this.#parser;
    const { headers } = parser;
    this.#deadlines.headCame();
    this.#continueAwaited = false;
    const framing = framingOf(parser, call.request.method);
    if (typeof framing === 'string') {
      this.#fail('malformed', `the upstream sent a malformed response: ${framing}`);
      return;
    }
    this.#persistent = this.#origin.settings.keepAlive && persists(parser);
    this.#keepAlive = this.#persistent ? keepAliveTimeout(headers) : 0;
    const { length } = framing;
    this.#phase = body;
    this.#body.begin(length, framing.chunked);
    this.#isLarge = length > largeSize;
    if (this.#body.endsWithConnection) this.#persistent = false;
    // The upstream may close the connection without reading the rest of the request (RFC 9112 §9.5). Sending more would cause a reset,
    // which may overtake the response.
    if (parser.status >= 400 && !this.#persistent) this.#sender.breakOff();
    const decoded = call.asksForGzip && length !== 0 && call.decode(headers);
    const flows = call.sink.onHead(parser.status, parser.proto, headers, decoded ? -1 : length);
    if (this.#call !== call) return;
    if (!flows) this.#pause();
    if (length === 0 && !this.#paused) this.#finish(call, null, more);
  }

  #readBody(bytes: Buffer, at: number, end: number, owner: number): number {
    const call = this.#call as ClientCall;
    const framed = this.#body;
    const next = framed.next(bytes, at, end);
    if (framed.end > framed.start) {
      if (!this.#deliver(bytes, framed.start, framed.end, owner) && this.#call === call) this.#pause();
      if (this.#call !== call) return next;
    }
    if (framed.broken) {
      this.#fail('malformed', 'the upstream sent a malformed chunk');
      return end;
    }
    if (framed.done && !this.#paused) this.#finish(call, framed.trailers, next < end);
    return next;
  }

  #deliver(bytes: Buffer, from: number, to: number, owner: number): boolean {
    const { sink } = this.#call as ClientCall;
    if (owner === shared && to - from < minLent && sink.borrows) return sink.onSpan(bytes, from, to);
    const piece = from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to);
    if (owner === owned) return sink.onData(piece);
    if (!sink.borrows) return sink.onData(Buffer.from(piece));
    const flows = sink.onData(owner === shared ? this.#large.copy(piece) : piece);
    if (sink.holds) {
      if (flows) this.#large.giveAway();
      else this.#large.lend();
    }
    return flows;
  }

  #pause(): void {
    this.#paused = true;
    this.#socket.pause();
    this.#deadlines.paused();
  }

  resume(): void {
    const call = this.#call;
    if (!this.#paused || call === null) return;
    this.#paused = false;
    this.#large.resumed();
    this.#deadlines.awaitMore(this.#origin.settings.readTimeout);
    if (!this.#running) this.#goOn(call);
    if (this.#paused || this.#phase === gone) return;
    if (this.#hasEnded) this.#endWithConnection(this.#endError);
    else this.#socket.resume();
  }

  /** Processes the data received before the pause. */
  #goOn(call: ClientCall): void {
    const rest = this.#rest;
    if (this.#phase === body && this.#body.done) this.#finish(call, this.#body.trailers, rest !== null);
    else if (rest !== null) {
      this.#rest = null;
      this.#run(rest, rest.length, owned);
    }
  }

  /** Completes the response. If it is followed by `extra` bytes, closes the connection, because these bytes belong to no request. */
  #finish(call: ClientCall, trailers: HeaderMap | null, extra: boolean): void {
    this.#takeCall();
    this.#body.clear();
    this.#isLarge = false;
    this.#large.release(this.#reading);
    if (this.#persistent && this.#sender.sent && !extra && !this.#hasEnded && !this.#socket.readableEnded) {
      this.#phase = idle;
      this.#deadlines.forget();
      this.#origin.release(
        this,
        this.#keepAlive === 0 ? never : Math.max(this.#keepAlive - keepAliveMargin, this.#keepAlive / 2),
      );
    } else this.#discard();
    call.sink.onEnd(trailers);
  }

  // Completion and failure

  #takeCall(): ClientCall | null {
    const call = this.#call;
    this.#call = null;
    if (call !== null) call.connection = null;
    this.#sender.stop();
    this.#continueAwaited = false;
    return call;
  }

  /** Closes the connection without notifying the call. */
  #discard(): void {
    if (this.#phase === gone) return;
    this.#phase = gone;
    this.#deadlines.forget();
    this.#rest = null;
    this.#large.release(this.#reading);
    this.#origin.remove(this);
    this.#socket.destroy();
  }

  #fail(kind: UpstreamFailure, message: string, cause?: unknown): void {
    const call = this.#takeCall();
    // On a reused connection, the upstream may have closed the connection before it received the request.
    const lost = kind === 'closed' && this.#served > 1 && !this.#responded;
    this.#discard();
    if (call === null || (lost && call.repeat())) return;
    call.failed(new UpstreamError(kind, message, cause));
  }

  abandon(call: ClientCall): void {
    if (this.#call !== call) return;
    this.#takeCall();
    this.#discard();
  }

  close(): void {
    if (this.#phase === idle) this.#discard();
  }

  /** Closes the connection immediately, even during a request. */
  destroy(): void {
    this.#fail('closed', 'the proxy closed its upstream connections');
  }

  /** Fails the request and closes the connection, because a callback threw an exception. */
  fault(error: unknown): void {
    const call = this.#takeCall();
    this.#discard();
    if (call === null || call.aborted) reportFault({ part: 'connection', error, module });
    else call.failed(error as Error);
  }

  readonly #onSocketEnd = guarded(this, () => this.#disconnected(null));

  readonly #onSocketError = guarded(this, (error: Error) => this.#disconnected(error));

  readonly #onClose = guarded(this, () => this.#disconnected(closed));

  /**
   * Handles the loss of the connection; `error` is `null` if there was none. First delivers the data received earlier, at the sink's speed.
   * This is necessary because Node.js reports the end of a socket before the sink has consumed its data.
   */
  #disconnected(error: Error | null): void {
    if (!this.#paused || this.#call === null) {
      this.#endWithConnection(error);
      return;
    }
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#endError = error;
    // A destroyed stream emits no more events, but it may still contain buffered data.
    const rest = this.#socket.readableLength > 0 ? (this.#socket.read() as Buffer | null) : null;
    if (rest !== null) this.#rest = this.#rest === null ? rest : Buffer.concat([this.#rest, rest]);
  }

  #endWithConnection(error: Error | null): void {
    if (error === closed) this.#fail('closed', closed.message);
    else if (error !== null) this.#fail('closed', `the connection to the upstream failed: ${error.message}`, error);
    else if (this.#phase === idle) this.#discard();
    else if (this.#phase === body && this.#body.endsWithConnection && this.#call !== null)
      this.#finish(this.#call, null, false);
    else
      this.#fail(
        'closed',
        `the upstream closed the connection ${this.#phase === head ? 'before its' : 'during its'} response`,
      );
  }

  #unlisten(): void {
    const socket = this.#socket;
    if (socket instanceof UpstreamSocket) socket.reader = null;
    socket.off('data', this.#onSocketData);
    socket.off('end', this.#onSocketEnd);
    socket.off('drain', this.#onDrain);
    socket.off('error', this.#onSocketError);
    socket.off('close', this.#onClose);
  }

  // Timeouts

  /** Called when the connection becomes idle. It may be reused until the time `until`, as measured by `performance.now()`. */
  keep(until: number): void {
    this.idleUntil = this.#deadlines.next = until;
  }

  /** Next time to check the connection's deadlines, as measured by `performance.now()`. */
  get deadline(): number {
    return this.#deadlines.next;
  }

  /** Handles expired deadlines: fails the request or closes the idle connection. The pool calls this method. */
  expire(now: number): void {
    const call = this.#call;
    if (call === null) {
      this.close();
      return;
    }
    const delay = this.#deadlines.passed(now);
    if (delay === null) return;
    if (delay === 'head' && this.#continueAwaited) this.#startBody(call);
    else this.#fail('timeout', tooSlow[delay]);
  }
}
