/** Carries one upstream request and its response on an HTTP/2 connection. */
import {
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { guarded, reportFault, type Guarded } from '@sluice/base';
import { HeaderMap } from '@sluice/http1';
import { UpstreamError, type BodySink } from '@sluice/http-app';
import type { Carrier, ClientCall } from './client-call.ts';
import type { OriginSettings } from './origin-settings.ts';
import { fieldsOf, outgoing, requestFields } from './http2-fields.ts';
import { targetOf } from './request-head.ts';
import { interimCost, maxInterim } from './session.ts';

const never = Number.POSITIVE_INFINITY;

/** Owner of an HTTP/2 stream, which provides its settings. */
export interface StreamOwner {
  readonly settings: OriginSettings;
  watch(deadline: number): void;
}

/** An upstream call on an HTTP/2 stream. */
export class Http2Stream implements BodySink, Carrier, Guarded {
  /** Next time to check the stream's deadline, as measured by `performance.now()`. */
  deadline = never;
  readonly #session: ClientHttp2Session;
  readonly #call: ClientCall;
  readonly #origin: StreamOwner;
  readonly #onDone: (reset: boolean) => void;
  #stream: ClientHttp2Stream | null = null;
  #over = false;
  #responded = false;
  #bodyTouched = false;
  /** True while the sink is paused. The end of the stream is not reported until {@link resume}. */
  #paused = false;
  /** True if the stream ended while the sink was paused. Unread data is in {@link #rest}. */
  #closed = false;
  #rest: Buffer | null = null;
  #length = -1;
  #received = 0;
  /** Size of the interim responses that the client has not read yet, in bytes. */
  #interim = 0;
  #trailers: HeaderMap | null = null;
  /** True once the last frame of the response has arrived. */
  #whole = false;

  constructor(session: ClientHttp2Session, call: ClientCall, origin: StreamOwner, onDone: (reset: boolean) => void) {
    this.#session = session;
    this.#call = call;
    this.#origin = origin;
    this.#onDone = onDone;
  }

  start(): void {
    const call = this.#call;
    const { request } = call;
    call.connection = this;
    const bodiless = request.body.length === 0;
    let stream: ClientHttp2Stream;
    try {
      stream = this.#session.request(this.#fields(), { endStream: bodiless, waitForTrailers: request.body.length < 0 });
    } catch (error) {
      this.#end();
      call.failed(new UpstreamError('closed', `cannot send the request: ${(error as Error).message}`, error));
      return;
    }
    this.#stream = stream;
    this.#listen(stream);
    const { responseHeaderTimeout, readTimeout } = this.#origin.settings;
    if (responseHeaderTimeout > 0 || readTimeout > 0)
      this.#watch(responseHeaderTimeout > 0 ? responseHeaderTimeout : readTimeout);
    if (!bodiless) request.body.consume(this);
  }

  #listen(stream: ClientHttp2Stream): void {
    this.#noticeEnd(stream);
    const { request } = this.#call;
    const onHeaders = guarded(this, (headers: IncomingHttpHeaders) => this.#onInformational(headers));
    const onResponse = guarded(this, (headers: IncomingHttpHeaders, flags: number) =>
      this.#onResponse(headers, (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0),
    );
    const onTrailers = guarded(this, (headers: IncomingHttpHeaders) => {
      this.#trailers = fieldsOf(headers);
    });
    const onEnd = guarded(this, () => this.#ended(new Error('the upstream response was truncated')));
    const onError = guarded(this, (error: Error) => this.#ended(error));
    const onClose = guarded(this, () => this.#ended(new Error('the HTTP/2 stream was closed')));
    const onDrain = guarded(this, () => request.body.resume());
    const onWantTrailers = guarded(this, () => stream.sendTrailers(outgoing(request.body.trailers ?? new HeaderMap())));
    stream.on('headers', onHeaders).on('response', onResponse).on('trailers', onTrailers).on('end', onEnd);
    stream.on('error', onError).on('close', onClose).on('drain', onDrain).on('wantTrailers', onWantTrailers);
  }

  /**
   * Detects that the response ended with its last frame. Node.js also ends the readable side after a reset or a lost connection. If the
   * stream is still open, however, Node.js ends the readable side only after the last frame.
   */
  #noticeEnd(stream: ClientHttp2Stream): void {
    const push = stream.push.bind(stream);
    stream.push = (chunk, encoding) => {
      if (chunk === null && !stream.closed) this.#whole = true;
      return push(chunk, encoding);
    };
  }

  #fields(): OutgoingHttpHeaders {
    const { request, host } = this.#call;
    const fields = requestFields(request, this.#call.asksForGzip);
    fields[':method'] = request.method;
    fields[':path'] = targetOf(request);
    fields[':scheme'] = this.#origin.settings.h2c ? 'http' : 'https';
    fields[':authority'] = host;
    return fields;
  }

  onData(chunk: Buffer): boolean {
    this.#bodyTouched = true;
    const stream = this.#stream as ClientHttp2Stream;
    return this.#over || stream.writableEnded || stream.destroyed || stream.write(Buffer.from(chunk));
  }

  onEnd(): void {
    if (!this.#over) this.#stream?.end();
  }

  onError(error: Error): void {
    if (!this.#over) this.#giveUp(error);
  }

  /** Handles an interim response. Flow control doesn't apply to interim responses, so their total size is limited. */
  #onInformational(headers: Record<string, unknown>): void {
    if (this.#over) return;
    const fields = fieldsOf(headers);
    if (this.#call.sink.onInformational(Number(headers[':status']), fields)) {
      this.#interim = 0;
      return;
    }
    for (const [name, value] of fields) this.#interim += interimCost + name.length + value.length;
    this.#interim += interimCost;
    if (this.#interim > maxInterim)
      this.#giveUp(
        new UpstreamError('malformed', 'the upstream sends interim responses faster than the client reads them'),
      );
  }

  /** Handles the response head. `ended` is true if there is no body. */
  #onResponse(headers: Record<string, unknown>, ended: boolean): void {
    const call = this.#call;
    if (this.#over) return;
    this.#responded = true;
    const fields = fieldsOf(headers);
    const status = Number(headers[':status']);
    const declared = Number(fields.get('content-length') ?? -1);
    const bodiless = call.request.method === 'HEAD' || status === 204 || status === 304;
    this.#length = bodiless || (ended && declared < 0) ? 0 : declared;
    const decoded = call.asksForGzip && !bodiless && call.decode(fields);
    const { readTimeout } = this.#origin.settings;
    if (readTimeout > 0) this.#watch(readTimeout);
    else this.deadline = never;
    const flows = call.sink.onHead(status, 'HTTP/2.0', fields, decoded ? -1 : this.#length);
    const stream = this.#stream as ClientHttp2Stream;
    if (this.#over) return;
    stream.on(
      'data',
      guarded(this, (chunk: Buffer) => this.#onChunk(chunk)),
    );
    if (!flows) this.#pause();
    // Clients that stream in both directions, such as gRPC clients, may wait for the response head before they send more.
    else if (!ended) call.sink.onLull();
  }

  #onChunk(chunk: Buffer): void {
    if (this.#over) return;
    this.#received += chunk.length;
    const { readTimeout } = this.#origin.settings;
    if (readTimeout > 0) this.#watch(readTimeout);
    if (!this.#call.sink.onData(chunk)) this.#pause();
    if (!this.#over) this.#call.sink.onLull();
  }

  #pause(): void {
    this.#paused = true;
    this.deadline = never;
    this.#stream?.pause();
  }

  /**
   * Handles the end of the stream. If the last frame has arrived, delivers the whole response at the sink's speed, even if the connection
   * was lost.
   */
  #ended(error: Error): void {
    if (this.#over || this.#closed) return;
    if (!this.#whole) {
      this.#fail(error);
      return;
    }
    const stream = this.#stream as ClientHttp2Stream;
    const pieces: Buffer[] = [];
    // `read()` returns one chunk at a time from a flowing stream.
    for (let piece = stream.read() as Buffer | null; piece !== null; piece = stream.read() as Buffer | null)
      pieces.push(piece);
    const rest = pieces.length > 0 ? Buffer.concat(pieces) : null;
    if (rest !== null && !this.#paused) this.#onChunk(rest);
    else this.#rest = rest;
    if (this.#over) return;
    if (this.#paused) this.#closed = true;
    else this.#finish();
  }

  #finish(): void {
    if (this.#over) return;
    const call = this.#call;
    if (!this.#responded) {
      this.#fail(new Error('the HTTP/2 stream ended without a response'));
      return;
    }
    this.#end();
    if (this.#length > 0 && this.#received !== this.#length)
      call.sink.onError(new UpstreamError('closed', 'the upstream response is shorter than its Content-Length'));
    else call.sink.onEnd(this.#trailers);
    if (this.#stream?.writableEnded === false) this.#stream.close(constants.NGHTTP2_NO_ERROR);
  }

  #fail(error: Error): void {
    if (this.#over) return;
    const call = this.#call;
    this.#end();
    const refused =
      !this.#responded && !this.#bodyTouched && this.#stream?.rstCode === constants.NGHTTP2_REFUSED_STREAM;
    if (refused && call.repeat()) return;
    call.failed(new UpstreamError('closed', `the upstream reset the stream: ${error.message}`, error));
  }

  /** Fails the stream's request after an exception in a callback. */
  fault(error: unknown): void {
    if (this.#over) {
      reportFault({ part: 'exchange', error, module: 'http.reverse_proxy.transport.http' });
      return;
    }
    this.#end(true);
    this.#stream?.close(constants.NGHTTP2_CANCEL);
    this.#call.failed(error as Error);
  }

  /** Ends the call. `reset` means that the stream ends before the upstream has finished. */
  #end(reset = false): void {
    this.#over = true;
    this.deadline = never;
    this.#call.connection = null;
    this.#onDone(reset);
  }

  resume(): void {
    if (!this.#responded || this.#over) return;
    this.#paused = false;
    const rest = this.#rest;
    this.#rest = null;
    if (rest !== null) this.#onChunk(rest);
    if (this.#paused || this.#over) return;
    if (this.#closed) {
      this.#finish();
      return;
    }
    const { readTimeout } = this.#origin.settings;
    if (readTimeout > 0) this.#watch(readTimeout);
    this.#stream?.resume();
  }

  abandon(): void {
    if (this.#over) return;
    this.#end(true);
    this.#stream?.close(constants.NGHTTP2_CANCEL);
  }

  #watch(time: number): void {
    this.deadline = performance.now() + time;
    this.#origin.watch(this.deadline);
  }

  /** Fails the request if its deadline has passed. */
  expire(now: number): void {
    if (this.deadline > now || this.#over) return;
    this.#giveUp(new UpstreamError('timeout', 'the upstream did not respond in time'));
  }

  #giveUp(error: Error): void {
    this.#end(true);
    this.#stream?.close(constants.NGHTTP2_CANCEL);
    this.#call.failed(error);
  }
}
