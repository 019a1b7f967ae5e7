/**
 * One HTTP/1.1 connection to an upstream (RFC 9112): one request at a time, its answer pushed into a sink. The connection
 * belongs to an {@link Origin}, which lends it to one call after the other.
 */
import type { Duplex } from 'node:stream';
import {
  ChunkDecoder,
  fieldLines,
  UpstreamError,
  type BodySink,
  type HeaderMap,
  type UpstreamFailure,
} from '@sluice/http-app';
import { requestHead } from './request-head.ts';
import { framingOf, keepAliveTimeout, persists } from './framing.ts';
import { incomplete, refused, ResponseParser } from './response-parser.ts';
import type { Carrier, ClientCall } from './client-call.ts';
import type { Origin } from './origin.ts';

/** Nobody uses it. */
const idle = 0;
/** The head of the answer, or an interim answer, is to come. */
const head = 1;
const bodyOfLength = 2;
const bodyOfChunks = 3;
/** The end of the connection ends the body. */
const bodyToClose = 4;
/** Closed, or somebody else has the socket. */
const gone = 5;

const never = Number.POSITIVE_INFINITY;
/** A connection is given up this many milliseconds before the upstream says that it closes it. */
const keepAliveMargin = 1000;

/** A connection. Owned by the origin that made it. */
export class Http1Connection implements BodySink, Carrier {
  /** When it is too old to be used again; kept by the origin. */
  idleUntil = never;
  /** When to look at it again, in milliseconds of `performance.now()`. */
  deadline = never;
  readonly #socket: Duplex;
  readonly #origin: Origin;
  readonly #parser: ResponseParser;
  #phase = idle;
  #call: ClientCall | null = null;
  /** How many requests were sent. */
  #served = 0;
  /** Whether a byte of the answer came. */
  #answered = false;
  #requestSent = false;
  /** The body of the request is sent in chunks. */
  #chunked = false;
  /** The head while it waits for the first piece of the body. */
  #waitingHead = '';
  /** The upstream has to say `100 Continue` first. */
  #continueAwaited = false;
  #left = 0;
  #decoder: ChunkDecoder | null = null;
  /** Whether the connection can go on behind this answer. */
  #persistent = false;
  #keepAlive = 0;
  #paused = false;
  #rest: Buffer | null = null;
  #running = false;
  #headerDeadline = never;
  #readDeadline = never;
  #writeDeadline = never;

  constructor(socket: Duplex, origin: Origin) {
    this.#socket = socket;
    this.#origin = origin;
    this.#parser = new ResponseParser(origin.settings.maxHeaderBytes);
    socket.on('data', this.#onSocketData);
    socket.on('end', this.#onSocketEnd);
    socket.on('drain', this.#onDrain);
    socket.on('error', this.#onSocketError);
    socket.on('close', this.#onClose);
    socket.resume();
  }

  /** Whether the call that runs is not the first one, so that the upstream may have closed the connection meanwhile. */
  get reused(): boolean {
    return this.#served > 1;
  }

  // ---- The request -------------------------------------------------------------------------------------------------

  /** Sends the request of a call. The connection must be idle. */
  start(call: ClientCall): void {
    const { request } = call;
    const { settings } = this.#origin;
    let text: string;
    try {
      text = requestHead(request, call.host, this.#origin.targetPrefix, settings.style);
    } catch (error) {
      this.#origin.release(this, never);
      call.failed(error as Error);
      return;
    }
    this.#call = call;
    call.connection = this;
    this.#phase = head;
    this.#served++;
    this.#answered = false;
    this.#persistent = false;
    this.#keepAlive = 0;
    this.#paused = false;
    this.deadline = this.#headerDeadline = this.#writeDeadline = this.#readDeadline = never;
    if (settings.readTimeout > 0) this.#setReadDeadline();
    const { body } = request;
    if (body.length === 0) {
      this.#requestSent = true;
      this.#socket.write(text, 'latin1');
      if (settings.responseHeaderTimeout > 0) this.#setHeaderDeadline();
      return;
    }
    this.#requestSent = false;
    this.#chunked = body.length < 0;
    if (settings.expectContinueTimeout > 0 && request.headers.get('expect')?.toLowerCase() === '100-continue') {
      this.#continueAwaited = true;
      this.#socket.write(text, 'latin1');
      this.#headerDeadline = performance.now() + settings.expectContinueTimeout;
      this.#deadlineChanged();
      return;
    }
    this.#waitingHead = text;
    body.consume(this);
    if (this.#waitingHead !== '' && this.#call === call) this.#sendWaitingHead();
  }

  #sendWaitingHead(): void {
    const text = this.#waitingHead;
    this.#waitingHead = '';
    this.#socket.write(text, 'latin1');
  }

  #startBody(): void {
    this.#continueAwaited = false;
    this.#headerDeadline = never;
    this.#deadlineChanged();
    this.#call?.request.body.consume(this);
  }

  onData(chunk: Buffer): boolean {
    // The answer came before the body was complete, or the connection broke: the rest is for nobody.
    if (this.#call === null || this.#requestSent) return true;
    let before = this.#waitingHead;
    this.#waitingHead = '';
    if (this.#chunked) before += `${chunk.length.toString(16)}\r\n`;
    this.#write(before, chunk, this.#chunked ? '\r\n' : '');
    if (!this.#socket.writableNeedDrain) return true;
    const { writeTimeout } = this.#origin.settings;
    if (writeTimeout > 0) {
      this.#writeDeadline = performance.now() + writeTimeout;
      this.#deadlineChanged();
    }
    return false;
  }

  /** The bytes are of whoever gave them, so they go out as a copy, together with the texts around them. */
  #write(before: string, bytes: Buffer, behind: string): void {
    const whole = Buffer.allocUnsafe(before.length + bytes.length + behind.length);
    if (before !== '') whole.write(before, 0, 'latin1');
    bytes.copy(whole, before.length);
    if (behind !== '') whole.write(behind, before.length + bytes.length, 'latin1');
    this.#socket.write(whole);
  }

  onEnd(): void {
    const call = this.#call;
    if (call === null || this.#requestSent) return;
    this.#requestSent = true;
    let text = this.#waitingHead;
    this.#waitingHead = '';
    if (this.#chunked) {
      const { trailers } = call.request.body;
      text += `0\r\n${trailers === null ? '' : fieldLines(trailers)}\r\n`;
    }
    if (text !== '') this.#socket.write(text, 'latin1');
    if (this.#phase === head && this.#origin.settings.responseHeaderTimeout > 0) this.#setHeaderDeadline();
  }

  onError(error: Error): void {
    if (this.#call === null || this.#requestSent) return;
    const call = this.#takeCall();
    this.#discard();
    call?.failed(error);
  }

  // ---- The answer --------------------------------------------------------------------------------------------------

  readonly #onSocketData = (chunk: Buffer): void => {
    if (this.#origin.settings.readTimeout > 0) this.#setReadDeadline();
    const rest = this.#rest;
    this.#rest = null;
    this.#run(rest === null ? chunk : Buffer.concat([rest, chunk]));
  };

  #run(bytes: Buffer): void {
    const call = this.#call;
    if (call === null) {
      // Nobody asked: what comes here would be taken for the next answer.
      if (this.#phase === idle) this.#discard();
      return;
    }
    this.#answered = true;
    this.#running = true;
    let at = 0;
    while (at < bytes.length && this.#call === call && !this.#paused) {
      at = this.#phase === head ? this.#readHead(call, bytes, at) : this.#readBody(call, bytes, at);
    }
    this.#running = false;
    if (this.#call === call) {
      if (at < bytes.length) this.#rest = at === 0 ? bytes : bytes.subarray(at);
      if (this.#phase !== head) call.sink.onLull();
    }
  }

  #readHead(call: ClientCall, bytes: Buffer, at: number): number {
    const parser = this.#parser;
    const end = parser.feed(bytes, at);
    if (end === incomplete) return bytes.length;
    if (end === refused) {
      this.#fail('malformed', `the upstream sent a malformed answer: ${parser.problem}`);
      return bytes.length;
    }
    const { status } = parser;
    if (status >= 200) this.#beginBody(call, end < bytes.length);
    else if (status === 101) {
      this.#switchProtocols(call, bytes.subarray(end));
      return bytes.length;
    } else {
      if (status === 100 && this.#continueAwaited) this.#startBody();
      call.sink.onInformational(status, parser.headers);
    }
    return end;
  }

  #switchProtocols(call: ClientCall, rest: Buffer): void {
    if (call.request.upgrade === '') {
      this.#fail('malformed', 'the upstream switched protocols without being asked to');
      return;
    }
    this.#takeCall();
    this.#phase = gone;
    this.deadline = never;
    this.#origin.remove(this);
    const socket = this.#socket;
    this.#unlisten();
    socket.pause();
    call.sink.onUpgrade(this.#parser.headers, socket, rest);
  }

  #beginBody(call: ClientCall, extra: boolean): void {
    const parser = this.#parser;
    const { headers } = parser;
    this.#headerDeadline = never;
    this.#continueAwaited = false;
    if (this.deadline !== never) this.#deadlineChanged();
    const framing = framingOf(parser, call.request.method);
    if (typeof framing === 'string') {
      this.#fail('malformed', `the upstream sent a malformed answer: ${framing}`);
      return;
    }
    this.#persistent = this.#origin.settings.keepAlive && persists(parser);
    this.#keepAlive = this.#persistent ? keepAliveTimeout(headers) : 0;
    const { length } = framing;
    this.#left = length;
    if (framing.chunked) {
      this.#phase = bodyOfChunks;
      this.#decoder = new ChunkDecoder();
    } else if (length < 0) {
      this.#phase = bodyToClose;
      this.#persistent = false;
    } else this.#phase = bodyOfLength;
    const decoded = call.asksForGzip && this.#left !== 0 && call.decode(headers);
    const flows = call.sink.onHead(parser.status, parser.proto, headers, decoded ? -1 : length);
    if (this.#call !== call) return;
    if (!flows) this.#pause();
    if (this.#phase === bodyOfLength && this.#left === 0 && !this.#paused) this.#finish(call, null, extra);
  }

  #readBody(call: ClientCall, bytes: Buffer, at: number): number {
    let end = bytes.length;
    let start = at;
    let next = end;
    const decoder = this.#phase === bodyOfChunks ? (this.#decoder as ChunkDecoder) : null;
    if (decoder !== null) {
      next = decoder.next(bytes, at, end);
      ({ start, end } = decoder);
      if (decoder.broken) {
        this.#fail('malformed', 'the upstream sent a malformed chunk');
        return bytes.length;
      }
    } else if (this.#phase === bodyOfLength) {
      next = end = Math.min(end, at + this.#left);
      this.#left -= end - at;
    }
    if (end > start) {
      const chunk = start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
      if (!call.sink.onData(chunk) && this.#call === call) this.#pause();
      if (this.#call !== call) return next;
    }
    const ended = decoder === null ? this.#phase === bodyOfLength && this.#left === 0 : decoder.done;
    if (ended && !this.#paused) this.#finish(call, decoder?.trailers ?? null, next < bytes.length);
    return next;
  }

  #pause(): void {
    this.#paused = true;
    this.#socket.pause();
    if (this.#readDeadline !== never) {
      this.#readDeadline = never;
      this.#deadlineChanged();
    }
  }

  /** The sink of the call takes more. */
  resume(): void {
    const call = this.#call;
    if (!this.#paused || call === null) return;
    this.#paused = false;
    if (this.#origin.settings.readTimeout > 0) this.#setReadDeadline();
    if (this.#running) {
      this.#socket.resume();
      return;
    }
    const extra = this.#rest !== null;
    if (this.#phase === bodyOfLength && this.#left === 0) this.#finish(call, null, extra);
    else if (this.#phase === bodyOfChunks && this.#decoder?.done === true)
      this.#finish(call, this.#decoder.trailers, extra);
    else {
      const rest = this.#rest;
      this.#rest = null;
      if (rest !== null) this.#run(rest);
    }
    if (!this.#paused && this.#phase !== gone) this.#socket.resume();
  }

  /** The answer is complete. `extra` bytes behind it are no answer to anything, and the connection goes with them. */
  #finish(call: ClientCall, trailers: HeaderMap | null, extra: boolean): void {
    this.#takeCall();
    this.#decoder = null;
    if (this.#persistent && this.#requestSent && !extra && !this.#socket.readableEnded) {
      this.#phase = idle;
      this.deadline = this.#readDeadline = this.#writeDeadline = never;
      this.#origin.release(
        this,
        this.#keepAlive === 0 ? never : Math.max(this.#keepAlive - keepAliveMargin, this.#keepAlive / 2),
      );
    } else this.#discard();
    call.sink.onEnd(trailers);
  }

  // ---- The end -----------------------------------------------------------------------------------------------------

  #takeCall(): ClientCall | null {
    const call = this.#call;
    this.#call = null;
    if (call !== null) call.connection = null;
    this.#waitingHead = '';
    this.#continueAwaited = false;
    return call;
  }

  /** Closes without telling anybody. */
  #discard(): void {
    if (this.#phase === gone) return;
    this.#phase = gone;
    this.deadline = never;
    this.#rest = null;
    this.#origin.remove(this);
    this.#socket.destroy();
  }

  #fail(kind: UpstreamFailure, message: string, cause?: unknown): void {
    const call = this.#takeCall();
    const lost = kind === 'closed' && this.reused && !this.#answered;
    this.#discard();
    if (call === null || (lost && call.repeat())) return;
    call.failed(new UpstreamError(kind, message, cause));
  }

  /** A call is not wanted any more. */
  abandon(call: ClientCall): void {
    if (this.#call !== call) return;
    this.#takeCall();
    this.#discard();
  }

  /** Closes an idle connection. */
  close(): void {
    if (this.#phase === idle) this.#discard();
  }

  /** Closes whatever runs. */
  destroy(): void {
    this.#fail('closed', 'the connections of the proxy were closed');
  }

  readonly #onSocketEnd = (): void => {
    if (this.#phase === idle) this.#discard();
    else if (this.#phase === bodyToClose && this.#call !== null) this.#finish(this.#call, null, false);
    else
      this.#fail(
        'closed',
        this.#phase === head
          ? 'the upstream closed the connection without an answer'
          : 'the upstream closed the connection within its answer',
      );
  };

  readonly #onSocketError = (error: Error): void => {
    this.#fail('closed', `the connection to the upstream broke: ${error.message}`, error);
  };

  readonly #onClose = (): void => {
    this.#fail('closed', 'the connection to the upstream was closed');
  };

  readonly #onDrain = (): void => {
    if (this.#writeDeadline !== never) {
      this.#writeDeadline = never;
      this.#deadlineChanged();
    }
    if (this.#call !== null && !this.#requestSent) this.#call.request.body.resume();
  };

  #unlisten(): void {
    const socket = this.#socket;
    socket.off('data', this.#onSocketData);
    socket.off('end', this.#onSocketEnd);
    socket.off('drain', this.#onDrain);
    socket.off('error', this.#onSocketError);
    socket.off('close', this.#onClose);
  }

  // ---- Time --------------------------------------------------------------------------------------------------------

  #setHeaderDeadline(): void {
    this.#headerDeadline = performance.now() + this.#origin.settings.responseHeaderTimeout;
    this.#deadlineChanged();
  }

  #setReadDeadline(): void {
    this.#readDeadline = performance.now() + this.#origin.settings.readTimeout;
    this.#deadlineChanged();
  }

  #deadlineChanged(): void {
    this.deadline = Math.min(this.#headerDeadline, this.#readDeadline, this.#writeDeadline);
    if (this.deadline !== never) this.#origin.watch(this.deadline);
  }

  /** A deadline may have passed. Called by the pool. */
  expire(now: number): void {
    if (this.#call === null) {
      this.close();
      return;
    }
    if (this.#continueAwaited && this.#headerDeadline <= now) this.#startBody();
    else if (this.#headerDeadline <= now) this.#fail('timeout', 'the upstream did not begin to answer in time');
    else if (this.#readDeadline <= now) this.#fail('timeout', 'the upstream sent nothing for too long');
    else if (this.#writeDeadline <= now) this.#fail('timeout', 'the upstream took nothing for too long');
  }
}
