/** One request to a FastCGI responder, on a separate connection. */
import {
  type BodySink,
  type DialAddress,
  type Exchange,
  HttpError,
  type SocketReader,
  type UpstreamCall,
  UpstreamError,
  type UpstreamFailure,
  type UpstreamRequest,
  type UpstreamSink,
  UpstreamSocket,
  isHttpError,
  isUpstreamError,
  openSocket,
} from '@sluice/http-app';
import { guarded, messageOf, reportFault, type Guarded, type Logger } from '@sluice/base';
import { askAtWriteFailure } from '../../common/write-failure.ts';
import { CgiResponse } from './cgi-response.ts';
import { ScriptErrors } from './script-errors.ts';
import { parametersOf, type ScriptRules } from './environment.ts';
import {
  beginRecord,
  encodeParams,
  endOfStream,
  endRequest,
  paramsRecord,
  RecordReader,
  stderrRecord,
  stdinRecord,
  stdoutRecord,
  streamRecords,
} from './records.ts';

/** Resolved options of the FastCGI transport. Times are in milliseconds; 0 = no timeout. */
export interface FastcgiSettings {
  readonly log: Logger;
  readonly rules: ScriptRules;
  /** Returns the absolute directory of the scripts. */
  readonly rootOf: (exchange: Exchange) => string | Promise<string>;
  readonly dialTimeout: number;
  readonly readTimeout: number;
  readonly writeTimeout: number;
  readonly captureStderr: boolean;
}

const lengthRequired =
  "FastCGI requires the length of the request body in advance, but the request has no Content-Length, and its body exceeds the proxy's request_buffers";

export class FastcgiCall implements UpstreamCall, BodySink, SocketReader, Guarded {
  readonly #settings: FastcgiSettings;
  readonly #address: DialAddress;
  readonly #request: UpstreamRequest;
  readonly #sink: UpstreamSink;
  readonly #response: CgiResponse;
  readonly #reader: RecordReader = new RecordReader((type, content) => this.#onRecord(type, content));
  #socket: UpstreamSocket | null = null;
  #over = false;
  #sent = false;
  /** True once the responder no longer reads the request. */
  #broken = false;
  /** True while the sink is paused. No data, end or error is reported until {@link resume}. */
  #paused = false;
  /** True once the record that ends the response has arrived. */
  #ended = false;
  /** Error that closed the connection while the sink was paused, or `null`. */
  #lost: UpstreamError | null = null;
  /** Copy of the records received after the record that paused the sink. */
  #rest: Buffer | null = null;
  readonly #errors = new ScriptErrors();

  constructor(settings: FastcgiSettings, address: DialAddress, request: UpstreamRequest, sink: UpstreamSink) {
    this.#settings = settings;
    this.#address = address;
    this.#request = request;
    this.#sink = sink;
    this.#response = new CgiResponse(sink, request.method);
  }

  /** Connects to the responder and sends the request. */
  async start(): Promise<void> {
    const { exchange, body } = this.#request;
    const { rules, rootOf, dialTimeout: timeout } = this.#settings;
    try {
      if (exchange === null) throw new UpstreamError('dial', 'health checks are not supported over FastCGI');
      // FastCGI sends the body length before the body, so the length must be known.
      if (body.length < 0) throw new HttpError(411, lengthRequired);
      const root = await rootOf(exchange);
      // Encode the parameters before connecting, because a path without a script needs no connection.
      const params = encodeParams(parametersOf(this.#request, exchange, root, rules));
      const socket = new UpstreamSocket();
      await openSocket(this.#address, { timeout, socket, hold: () => this.#hold(socket) });
      this.#listen(socket);
      if (this.#over) return;
      socket.write(Buffer.concat([beginRecord(), streamRecords(paramsRecord, params), endOfStream(paramsRecord)]));
      body.consume(this);
    } catch (error) {
      this.#failWith(
        isUpstreamError(error) || isHttpError(error) ? error : new UpstreamError('dial', messageOf(error), error),
      );
    }
  }

  #hold(socket: UpstreamSocket): void {
    this.#socket = socket;
    if (this.#over) socket.destroy();
  }

  #listen(socket: UpstreamSocket): void {
    socket.reader = this;
    const onDrain = guarded(this, () => {
      this.#watch();
      this.#request.body.resume();
    });
    const onError = guarded(this, (error: Error) =>
      this.#disconnected(`the connection to the FastCGI responder failed: ${error.message}`, error),
    );
    const onEnd = guarded(this, () => this.#disconnected('the FastCGI responder closed the connection early'));
    const onClose = guarded(this, () => this.#disconnected('the connection to the FastCGI responder was closed'));
    const onTimeout = guarded(this, () => this.#fail('timeout', 'the FastCGI responder timed out'));
    socket.on('drain', onDrain).on('error', onError).on('end', onEnd).on('close', onClose).on('timeout', onTimeout);
    askAtWriteFailure(socket, () => {
      this.#broken = true;
      return !this.#over;
    });
    this.#watch();
    socket.resume();
  }

  /** Limits the time that the responder takes to read or write. Time spent waiting for the client or the sink doesn't count. */
  #watch(): void {
    const socket = this.#socket as UpstreamSocket;
    const { readTimeout, writeTimeout } = this.#settings;
    if (this.#paused || this.#over) socket.setTimeout(0);
    else if (socket.writableNeedDrain) socket.setTimeout(writeTimeout);
    else socket.setTimeout(this.#sent || this.#broken ? readTimeout : 0);
  }

  // Sending the request

  onData(chunk: Buffer): boolean {
    if (this.#over || this.#broken) return true;
    const flows = (this.#socket as UpstreamSocket).write(streamRecords(stdinRecord, chunk));
    if (!flows) this.#watch();
    return flows;
  }

  onEnd(): void {
    this.#sent = true;
    if (this.#over) return;
    if (!this.#broken) this.#socket?.write(endOfStream(stdinRecord));
    this.#watch();
  }

  onError(error: Error): void {
    this.#failWith(error);
  }

  // Receiving the response

  onBytes(bytes: Buffer, end: number): void {
    try {
      const rest = this.#rest;
      const piece = bytes.subarray(0, end);
      this.#read(rest === null ? piece : Buffer.concat([rest, piece]));
    } catch (error) {
      this.fault(error);
    }
  }

  readBuffer(): null {
    return null;
  }

  #read(bytes: Buffer): void {
    this.#rest = null;
    const used = this.#reader.push(bytes);
    if (this.#over) return;
    if (used < 0) {
      this.#fail('malformed', 'the upstream sent data that is not FastCGI');
      return;
    }
    // Discard data received after the end of the response.
    if (used < bytes.length && !this.#ended) this.#rest = Buffer.from(bytes.subarray(used));
    if (this.#ended) this.#finish();
    else if (this.#response.begun) this.#sink.onLull();
  }

  #onRecord(type: number, content: Buffer): boolean {
    if (type === stderrRecord) {
      this.#errors.add(content);
      return true;
    }
    if (type === endRequest) {
      this.#ended = true;
      return false;
    }
    if (type !== stdoutRecord) return true;
    return this.#took(this.#response.push(content));
  }

  /** Called after a part of the response was passed to the sink. Returns true if the sink accepts more data. */
  #took(flows: boolean): boolean {
    if (this.#over) return false;
    if (this.#response.problem !== '') {
      this.#fail('malformed', `the FastCGI responder sent a malformed response: ${this.#response.problem}`);
      return false;
    }
    if (flows) return true;
    this.#paused = true;
    this.#socket?.pause();
    this.#watch();
    return false;
  }

  #finish(): void {
    if (this.#paused || this.#over) return;
    const response = this.#response;
    if (!response.begun) {
      this.#fail('malformed', 'the FastCGI responder sent a response without a header');
      return;
    }
    this.#close();
    if (response.complete) this.#sink.onEnd(null);
    else this.#sink.onError(new UpstreamError('closed', "the FastCGI responder's response is incomplete"));
  }

  resume(): void {
    if (!this.#paused || this.#over) return;
    this.#paused = false;
    if (!this.#took(this.#response.flush())) return;
    const rest = this.#rest;
    if (rest !== null) this.#read(rest);
    else if (this.#ended) this.#finish();
    if (this.#paused || this.#over) return;
    if (this.#lost !== null) this.#endWithConnection(this.#lost);
    else {
      this.#watch();
      this.#socket?.resume();
    }
  }

  // Completion and failure

  /** Handles the loss of the connection. First delivers the data received earlier, at the sink's speed. */
  #disconnected(message: string, cause?: unknown): void {
    if (this.#over) return;
    const error = new UpstreamError('closed', message, cause);
    if (this.#paused) this.#lost ??= error;
    else this.#endWithConnection(error);
  }

  /** Handles a connection that closed without the end record. Completes the response if its declared length has arrived. */
  #endWithConnection(error: UpstreamError): void {
    if (this.#response.whole) this.#finish();
    else this.#failWith(error);
  }

  abort(): void {
    this.#close();
  }

  /** Fails the request because a connection callback threw an exception. */
  fault(error: unknown): void {
    if (this.#over) reportFault({ part: 'exchange', error, module: 'http.reverse_proxy.transport.fastcgi' });
    else this.#failWith(error as Error);
  }

  #fail(kind: UpstreamFailure, message: string): void {
    this.#failWith(new UpstreamError(kind, message));
  }

  #failWith(error: Error): void {
    if (this.#over) return;
    this.#close();
    this.#sink.onError(error);
  }

  #close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#rest = null;
    const socket = this.#socket;
    if (socket !== null) {
      socket.reader = null;
      socket.destroy();
    }
    this.#log();
  }

  #log(): void {
    const { log, captureStderr } = this.#settings;
    const { excess } = this.#response;
    if (excess > 0 && this.#request.method !== 'HEAD')
      log.warn('dropped response bytes beyond Content-Length', { bytes: excess });
    this.#errors.log(log, captureStderr);
  }
}
