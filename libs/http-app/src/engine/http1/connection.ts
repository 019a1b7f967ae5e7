/**
 * An HTTP/1.1 connection (RFC 9112 §9). Reads bytes, runs one exchange after another, and writes bytes. The connection is always in one of
 * the phases below. Input for a later phase waits in `rest`, and excess input waits in kernel buffers. Output that results from one read is
 * sent in a single write at the end of the read.
 */
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { failOwner, guarded, reportFault, runGuarded, timeOfRead, type Guarded } from '@sluice/base';
import { ClientGoneError, HttpError } from '../../errors.ts';
import { emptyBody } from '../../exchange/body.ts';
import type { ConnectionInfo } from '../../exchange/connection.ts';
import { Exchange } from '../../exchange/exchange.ts';
import { newConnectionTime, type EngineConnection, type EngineHost, type ServeHttp2 } from '../engine-host.ts';
import { isDirect } from '../direct-socket.ts';
import type { SocketFacts } from '../facts.ts';
import type { PaceRule } from '../../exchange/pace-rule.ts';
import { probe } from '../probe.ts';
import { KnownFacts } from '../known-facts.ts';
import { isQueued } from '../queued-bytes.ts';
import { startTime } from '../turn-share.ts';
import { Waiters } from '../waiters.ts';
import {
  carriageReturn,
  lineFeed,
  incomplete,
  refused,
  expectsContinue,
  expectsOther,
  HeadParser,
  badRequest,
  emptyHost,
  expectationFailed,
  refusalText,
  serverOptionsResponse,
} from '@sluice/http1';
import { ClientDeadlines, inTime, takesTooLong } from './client-deadlines.ts';
import { Output } from './output.ts';
import { Http1Body, type BodySource } from './request-body.ts';
import { Http1Response } from './response.ts';
import type { ResponseCarrier } from './response-carrier.ts';
import { isPreface, needsMore } from './preface.ts';

/** Phase before any data has been received. The first bytes identify the protocol. */
const opening = 0;
/** Phase between exchanges or within the headers of a request. */
const reading = 1;
/** Phase in which an exchange is waiting for its response. */
const responding = 2;
/** Phase in which the response has been sent and the rest of the request body is discarded. */
const draining = 3;
/**
 * Phase in which all data has been sent. The connection discards input until the client closes, because a TCP reset could destroy the
 * response.
 */
const closing = 4;
/** Phase in which another owner uses the socket, such as a WebSocket handler. */
const detached = 5;

/** Maximum amount of buffered input before the connection stops reading, in bytes. */
const maxRest = 64 * 1024;
/**
 * Minimum size of a wasteful read, in bytes. A read of at least `minYield` bytes wastes CPU time if it is more than `maxOverhead` times as
 * large as its content. The connection processes only one such read per event loop turn.
 */
const minYield = 16 * 1024;
const maxOverhead = 3;
/** Number of pipelined requests after which the clock is read again; see {@link startTime}. */
const clockInterval = 16;
/** Maximum number of blank-line bytes to accept after a request with a body. */
const maxBlank = 4;
/** Maximum time to wait for the client to close the connection after the last response, in milliseconds. */
const lingerTime = 2000;
const nothing = Buffer.alloc(0);

export class Http1Connection
  extends KnownFacts
  implements ConnectionInfo, EngineConnection, BodySource, ResponseCarrier, Guarded
{
  readonly output: Output;
  readonly #host: EngineHost;
  readonly #socket: Duplex;
  readonly #facts: SocketFacts;
  readonly #serveHttp2: ServeHttp2 | null;
  readonly #parser: HeadParser;
  readonly #waiters = new Waiters();
  #phase = opening;
  /** True if the client has disconnected. In this state, output is discarded. */
  #left = false;
  /** True if the connection is scheduled to continue in a later event loop turn. */
  #turning = false;
  /** Buffered input that the connection has not processed yet. */
  #rest: Buffer | null = null;
  #paused = false;
  /** True if input is waiting for the next event loop turn. */
  #yielding = false;
  /** True while input is being processed. */
  #running = false;
  #inputEnded = false;
  #exchange: Exchange | null = null;
  #response: Http1Response | null = null;
  #body: Http1Body | null = null;
  /** Number of blank-line bytes that are still allowed before the next request. */
  #blank = 0;
  /** True if the client is waiting for `100 Continue`. */
  #continueAwaited = false;
  readonly #deadlines: ClientDeadlines;

  /** `serveHttp2` takes over connections that start with the HTTP/2 preface. `null` disables HTTP/2. */
  constructor(host: EngineHost, socket: Duplex, facts: SocketFacts, serveHttp2: ServeHttp2 | null) {
    super(facts);
    this.output = new Output(socket);
    this.#host = host;
    this.#socket = socket;
    this.#facts = facts;
    this.#serveHttp2 = serveHttp2;
    this.#parser = new HeadParser(host.target.limits.maxHeaderBytes);
    this.#deadlines = new ClientDeadlines(host, socket);
  }

  start(): void {
    const host = this.#host;
    const socket = this.#socket;
    host.add(this);
    this.#deadlines.read(host.target.limits.readHeaderTimeout, performance.now());
    if (isDirect(socket)) socket.directReader = this.#onBytes;
    else socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('drain', this.#onDrain);
    socket.on('error', ignore);
    socket.on('close', this.#onClose);
    if (isDirect(socket) && socket.readableLength > 0) this.#onData(socket.read() as Buffer);
  }

  // Input

  readonly #onData = (chunk: Buffer): void => this.#onBytes(chunk, chunk.length, false);

  /** Called for each read. Catches exceptions itself, to avoid creating a closure for each read. */
  readonly #onBytes = (bytes: Buffer, end: number, shared = true): void => {
    try {
      if (this.#rest === null) this.#run(bytes, end, shared);
      else {
        const whole = this.#withRest(bytes.subarray(0, end));
        this.#run(whole, whole.length, false);
      }
    } catch (error) {
      this.fault(error);
    }
  };

  #withRest(chunk: Buffer): Buffer {
    const rest = this.#rest;
    this.#rest = null;
    return rest === null ? chunk : Buffer.concat([rest, chunk]);
  }

  /** Processes `bytes[0..end)` as far as the current phase allows. If `shared` is true, the bytes are overwritten later. */
  #run(bytes: Buffer, end: number, shared: boolean): void {
    this.#running = true;
    this.output.collect();
    let at = this.#phase === opening ? this.#open(bytes, end) : 0;
    let before = -1;
    let begun = 0;
    let since = 0;
    while (at < end && at > before) {
      before = at;
      if (this.#phase === reading) {
        // If the client does not read its responses, stop processing its requests.
        if (this.output.full) break;
        if (++begun % clockInterval === 0) {
          const now = performance.now();
          if (since === 0) since = now;
          else if (now - since > startTime) {
            this.#yield();
            break;
          }
        }
        at = this.#readHead(bytes, at, end);
      } else if (this.#phase === responding || this.#phase === draining) at = this.#readBody(bytes, at, end, shared);
      else break;
    }
    this.#running = false;
    if (at < end && this.#phase < closing) this.#keep(bytes.subarray(at, end), shared);
    this.output.release();
  }

  /**
   * Detects the protocol from the first bytes. Returns the number of bytes consumed. Unless the connection continues with HTTP/1, all bytes
   * are consumed.
   */
  #open(bytes: Buffer, end: number): number {
    const first = bytes.subarray(0, end);
    const protocols = this.#host.protocols ?? this.#host.target.protocols;
    if (needsMore(first)) {
      this.#rest = Buffer.from(first);
      return end;
    }
    if (this.#serveHttp2 !== null && isPreface(first)) {
      if (!protocols.includes('h2') && !protocols.includes('h2c')) this.destroy();
      else {
        this.#detach();
        this.#host.delete(this);
        this.#serveHttp2(this.#host, this.#socket, this.#facts, Buffer.from(first));
      }
      return end;
    }
    if (protocols.includes('h1')) this.#phase = reading;
    else this.destroy();
    return 0;
  }

  #readHead(bytes: Buffer, at: number, end: number): number {
    const parser = this.#parser;
    const { limits } = this.#host.target;
    parser.limit = limits.maxHeaderBytes;
    parser.keptNames = limits.keptHeaders;
    const begun = parser.begun;
    const start = this.#blank > 0 && !begun ? this.#skipBlank(bytes, at, end) : at;
    if (start === end) return end;
    const after = parser.feed(bytes, start, end);
    if (after === incomplete) {
      if (!begun && !this.#host.retired) this.#deadlines.read(limits.readHeaderTimeout, performance.now());
      return end;
    }
    if (after === refused) {
      this.#close(refusalText(parser.refusal));
      return end;
    }
    if (!parser.upgrades || after === end) {
      if (after < end) this.output.cork();
      this.#begin();
      return after;
    }
    // The remaining bytes may belong to a handler that takes over the connection.
    this.#rest = Buffer.from(bytes.subarray(after, end));
    this.#begin();
    this.#rest = null;
    return this.#phase === detached ? end : after;
  }

  /** Skips line ends that some clients send after a request body (RFC 9112 §2.2). */
  #skipBlank(bytes: Buffer, at: number, end: number): number {
    let i = at;
    while (i < end && this.#blank > 0 && (bytes[i] === carriageReturn || bytes[i] === lineFeed)) {
      this.#blank--;
      i++;
    }
    if (i < end) this.#blank = 0;
    return i;
  }

  #readBody(bytes: Buffer, at: number, end: number, shared: boolean): number {
    const body = this.#body;
    if (body === null || body.complete) return at;
    const before = body.received;
    let after: number;
    try {
      after = body.push(bytes, at, end, shared);
    } catch (error) {
      // The consumer of the request body threw an exception, and its `onError` callback may throw too.
      const exchange: Guarded = this.#exchange ?? this;
      runGuarded(exchange, () => body.fail(error as Error));
      failOwner(exchange, error);
      return end;
    }
    const used = after - at;
    if (used >= minYield && (body.received - before) * maxOverhead < used && this.#phase === responding) this.#yield();
    if (body.complete) this.#bodyComplete();
    else if (body.failed) {
      if (this.#phase === draining) this.#close('');
      return end;
    } else if (this.#inputEnded && after === end) body.fail(cutBody());
    else if (this.#deadlines.pacesBody) this.#deadlines.bodyMoved(performance.now(), after - at, body.flowing);
    return after;
  }

  /** Lets other connections run before the next read of this connection. */
  #yield(): void {
    if (this.#yielding) return;
    this.#yielding = this.#paused = true;
    this.#socket.pause();
    setImmediate(this.#goOnAfterYield);
  }

  readonly #goOnAfterYield = guarded(this, () => {
    this.#yielding = false;
    if (this.#phase < closing) this.#goOn();
  });

  #bodyComplete(): void {
    this.#deadlines.bodyCame(this.moment());
    if (this.#phase === draining) this.#next(performance.now());
    else this.#deadlines.readAnyTime();
  }

  /** Buffers input for later. The connection continues reading if the amount is small, so that it still detects disconnects. */
  #keep(rest: Buffer, shared: boolean): void {
    this.#rest = shared ? Buffer.from(rest) : rest;
    const body = this.#body;
    const isSlow = this.#phase === reading || (body !== null && !body.complete && body.consumed);
    if (rest.length < maxRest && !isSlow) return;
    this.#paused = true;
    this.#socket.pause();
    if (this.#phase === responding) this.#deadlines.probeLater(performance.now());
  }

  /** Checks that the client is still connected. Needed while a handler has paused the body, because no data is read. */
  #probe(now: number): void {
    if (!this.#paused || this.#phase !== responding) return;
    this.#deadlines.probeLater(now);
    probe(this.#socket);
  }

  /** Continues with the buffered input. */
  #goOn(): void {
    if (this.#running || this.#yielding || this.gone) return;
    const rest = this.#rest;
    this.#rest = null;
    if (rest !== null) this.#run(rest, rest.length, false);
    if (this.#paused && this.#rest === null) {
      this.#paused = false;
      this.#socket.resume();
    }
  }

  readonly #goOnLater = guarded(this, () => this.#goOn());

  // Exchanges

  #begin(): void {
    const head = this.#parser;
    const proto = head.minor === 0 ? 'HTTP/1.0' : 'HTTP/1.1';
    if (head.expects === expectsOther) return this.#close(expectationFailed(proto));
    if (head.host === '' && head.minor > 0) return this.#close(emptyHost(proto));
    const body =
      head.chunked || head.contentLength > 0 ? new Http1Body(this, head.contentLength, head.chunked, head) : null;
    if (head.rawPath === '*' && head.method === 'OPTIONS') return this.#respondToServerOptions(proto, body === null);
    const server = this.#host.serverFor(head, this.#facts);
    this.#phase = responding;
    this.#body = body;
    this.#continueAwaited = body !== null && head.expects === expectsContinue && head.minor > 0;
    const response = new Http1Response(this, head.method === 'HEAD', head.minor);
    const exchange = new Exchange(head, this, response, body ?? emptyBody);
    this.#response = response;
    this.#exchange = exchange;
    this.#deadlines.begin(server.limits, exchange.startedAt, body !== null);
    const pending = server.handle(exchange);
    // The server always ends the response, and this promise never rejects.
    if (pending !== undefined) void pending;
  }

  #respondToServerOptions(proto: string, bare: boolean): void {
    const persist = bare && this.mayPersist();
    const response = serverOptionsResponse(proto, persist);
    if (!persist) return this.#close(response);
    this.output.text(response);
    this.#next(performance.now());
  }

  mayPersist(): boolean {
    const head = this.#parser;
    if (!head.keepAlive || head.ambiguous || this.#inputEnded || this.#host.retired) return false;
    const body = this.#body;
    if (body === null || body.complete) return true;
    return !body.failed && (body.consumed || !(this.#continueAwaited || body.tooLongToDiscard));
  }

  moment(): number {
    return this.#running && this.#exchange !== null ? this.#exchange.startedAt : timeOfRead();
  }

  responded(persist: boolean): void {
    if (this.#phase !== responding) return;
    const now = this.moment();
    if (this.output.full) this.#awaitRoom(now);
    this.#exchange = null;
    this.#response = null;
    this.#deadlines.responded();
    const body = this.#body;
    if (!persist || this.gone) {
      body?.discard();
      this.#close('');
    } else if (body === null || body.complete) this.#next(now);
    else {
      this.#phase = draining;
      body.discard();
      if (body.failed || this.#continueAwaited) this.#close('');
      else {
        this.#awaitBody();
        this.#goOn();
      }
    }
  }

  #next(now: number): void {
    this.#phase = reading;
    this.#blank = this.#body === null && this.#parser.method !== 'POST' ? 0 : maxBlank;
    this.#body = null;
    this.#parser.next();
    if ((this.#inputEnded || this.#host.retired) && this.#rest === null) return this.#close('');
    this.#deadlines.read(this.#host.target.limits.idleTimeout, now);
    // Continue later, because the code that ended the response is still running.
    if (this.#rest !== null || this.#paused) process.nextTick(this.#goOnLater);
  }

  wantBody(): void {
    if (this.#continueAwaited) {
      this.#continueAwaited = false;
      if (this.#rest === null && this.#response?.status === 0) this.output.text('HTTP/1.1 100 Continue\r\n\r\n');
    }
    this.#awaitBody();
    this.#goOn();
  }

  resumeBody(): void {
    this.#awaitBody();
    this.#goOn();
  }

  drained(): Promise<void> {
    const { output } = this;
    if (output.full) this.#awaitRoom(performance.now());
    else if (!output.spent) return Promise.resolve();
    else if (!this.#turning) {
      this.#turning = true;
      setImmediate(this.#onTurn);
    }
    return this.#waiters.add();
  }

  readonly #onTurn = guarded(this, () => {
    this.#turning = false;
    this.output.turned();
    if (!this.output.full) this.#waiters.resolve();
  });

  /** True if the client has disconnected. A failed write destroys the socket, but Node emits `close` only in a later event loop turn. */
  get gone(): boolean {
    return this.#left || this.#socket.destroyed;
  }

  upgrade(): { readonly socket: Duplex; readonly head: Buffer } | null {
    // Refuse the takeover if input has already ended, because the new owner would not be notified of the end.
    if (this.#phase !== responding || this.gone || this.#inputEnded) return null;
    this.#response?.detach();
    this.output.release();
    const head = this.#rest ?? nothing;
    this.#rest = null;
    this.#detach();
    return { socket: this.#socket, head };
  }

  /** Hands the socket over to other code, which must resume the socket. The connection still observes the `close` event. */
  #detach(): void {
    this.#phase = detached;
    this.#deadlines.forget();
    const socket = this.#socket;
    if (isDirect(socket)) socket.directReader = null;
    else socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('drain', this.#onDrain);
    socket.pause();
  }

  // Closing

  /** Sends a final response. Closes the connection after the client has had time to read the response. */
  #close(text: string): void {
    if (this.#phase === closing || this.#phase === detached) return;
    this.#phase = closing;
    this.#rest = null;
    if (this.gone) return;
    if (text !== '') this.output.text(text);
    this.output.release();
    if (this.output.holds) this.#awaitRoom(performance.now());
    this.#deadlines.ignoreInput();
    this.#socket.end(this.#onFinish);
    if (this.#paused) this.#socket.resume();
  }

  readonly #onEnd = guarded(this, () => {
    this.#inputEnded = true;
    if (this.#phase === responding) {
      const body = this.#body;
      if (body !== null && this.#rest === null) body.fail(cutBody());
      this.#exchange?.abort();
      this.#leaveSoon();
    } else if (this.#phase !== closing) this.#close('');
  });

  /** Runs when all output has been sent. */
  readonly #onFinish = guarded(this, () => {
    this.#deadlines.forgetResponse();
    if (!this.gone) this.#deadlines.read(lingerTime, performance.now());
  });

  readonly #onDrain = guarded(this, () => {
    this.#deadlines.roomCame(performance.now());
    this.output.turned();
    this.#waiters.resolve();
    if (this.#phase === reading && this.#rest !== null) this.#goOn();
  });

  readonly #onClose = guarded(this, () => {
    this.#left = true;
    this.#deadlines.forget();
    this.#host.delete(this);
    this.#waiters.reject();
    this.#exchange?.abort();
    this.#body?.fail(new ClientGoneError());
  });

  /** Closes the connection after an exception in a callback, because the state of its input and output is unknown. */
  fault(error: unknown): void {
    const exchange = this.#exchange;
    if (exchange === null) reportFault({ part: 'connection', error });
    else exchange.reportFault(error);
    this.cut();
  }

  retire(): void {
    const begun = this.#parser.begun || this.#rest !== null;
    if (this.#phase === reading && !begun) this.#close('');
    else if (this.#phase === reading || this.#phase === opening)
      this.#deadlines.read(newConnectionTime, performance.now());
    else this.#leaveSoon();
  }

  /**
   * Closes the connection soon if the client has closed its sending side. Such a client has probably disconnected. A closing listener
   * therefore does not wait long for the response to this client.
   */
  #leaveSoon(): void {
    if (!this.#inputEnded || !this.#host.retired || this.#phase !== responding) return;
    this.#deadlines.writeUntil(performance.now() + lingerTime);
  }

  finish(): void {
    if (this.#phase === responding || this.#phase === detached || (!this.output.holds && !isQueued(this.#socket)))
      this.cut();
    else this.#close('');
  }

  destroy(): void {
    if (this.gone) return;
    const socket = this.#socket;
    if (this.#phase !== detached) {
      // Send collected output first. Responses to earlier requests, and the sent part of this response, must still reach the client.
      this.output.release();
      this.#phase = closing;
      this.#deadlines.read(lingerTime, performance.now());
    }
    this.#left = true;
    if (socket.writableLength === 0 && !isQueued(socket)) socket.destroy();
    else socket.end(() => socket.destroy());
  }

  cut(): void {
    this.#left = true;
    this.#socket.destroy();
  }

  get deadline(): number {
    return this.#deadlines.next;
  }

  setPace(of: 'body' | 'response', rule: PaceRule): void {
    if (this.#phase === responding && !this.gone) this.#deadlines.setPace(of, rule);
  }

  /** Starts the deadline for the request body, because a handler is now reading it. */
  #awaitBody(): void {
    const body = this.#body;
    if (body !== null && !body.complete && !body.failed) this.#deadlines.awaitBody(this.moment());
  }

  #awaitRoom(now: number): void {
    this.#deadlines.awaitRoom(now, this.#response?.size ?? 0);
  }

  expire(now: number): void {
    if (this.#deadlines.isProbeDue(now)) this.#probe(now);
    const passed = this.#deadlines.passed(now);
    if (passed === inTime) return;
    if (passed === takesTooLong) this.#socket.destroy();
    else if (this.#phase === responding)
      this.#body?.fail(new HttpError(408, 'the request body was not received in time'));
    else if (this.#phase === reading || this.#phase === opening) {
      this.#close(this.#parser.begun || this.#rest !== null ? refusalText(badRequest) : '');
    } else this.#socket.destroy();
  }
}

function cutBody(): HttpError {
  return new HttpError(400, 'the request body was truncated');
}

function ignore(): void {}
