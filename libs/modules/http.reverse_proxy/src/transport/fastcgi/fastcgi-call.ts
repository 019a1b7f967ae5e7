/** One request to a FastCGI responder, on a connection of its own. */
import type { Socket } from 'node:net';
import {
  HttpError,
  isHttpError,
  isUpstreamError,
  UpstreamError,
  type BodySink,
  type DialAddress,
  type Exchange,
  type UpstreamCall,
  type UpstreamFailure,
  type UpstreamRequest,
  type UpstreamSink,
} from '@sluice/http-app';
import { guarded, messageOf, reportFault, type Guarded, type Logger } from '@sluice/base';
import { openSocket } from '../../common/open-socket.ts';
import { askAtWriteFailure } from '../../common/write-failure.ts';
import { CgiResponse } from './cgi-response.ts';
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

/** Options of the transport, resolved once. Times in milliseconds, 0 for none. */
export interface FastcgiSettings {
  readonly log: Logger;
  readonly rules: ScriptRules;
  /** Absolute directory of the scripts. */
  readonly rootOf: (exchange: Exchange) => string | Promise<string>;
  readonly dialTimeout: number;
  readonly readTimeout: number;
  readonly writeTimeout: number;
  readonly captureStderr: boolean;
}

/** Most bytes of standard error that are kept for one entry of the log. */
const maxErrors = 64 * 1024;

const lengthRequired =
  'FastCGI needs the length of a body: the request has none, and the body is longer than request_buffers of the proxy';

/** A call; {@link start} runs it. */
export class FastcgiCall implements UpstreamCall, BodySink, Guarded {
  readonly #settings: FastcgiSettings;
  readonly #address: DialAddress;
  readonly #request: UpstreamRequest;
  readonly #sink: UpstreamSink;
  readonly #response: CgiResponse;
  readonly #reader: RecordReader = new RecordReader((type, content) => this.#onRecord(type, content));
  #socket: Socket | null = null;
  #over = false;
  /** The responder takes no more of the request. */
  #broken = false;
  #paused = false;
  #ended = false;
  #rest: Buffer | null = null;
  #errors = '';

  constructor(settings: FastcgiSettings, address: DialAddress, request: UpstreamRequest, sink: UpstreamSink) {
    this.#settings = settings;
    this.#address = address;
    this.#request = request;
    this.#sink = sink;
    this.#response = new CgiResponse(sink);
  }

  /** Connects and sends the request. */
  async start(): Promise<void> {
    const { exchange, body } = this.#request;
    const { rules, rootOf, dialTimeout: timeout } = this.#settings;
    try {
      if (exchange === null) throw new UpstreamError('dial', 'FastCGI has no health checks: there is no script to ask');
      // The length comes before the body. The proxy has counted one that was not known, as far as it may keep it.
      if (body.length < 0) throw new HttpError(411, lengthRequired);
      const root = await rootOf(exchange);
      // Before the connection: a path that names no script needs none.
      const params = encodeParams(parametersOf(this.#request, exchange, root, rules));
      const socket = await openSocket(this.#address, { timeout, hold: (opened) => this.#hold(opened) });
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

  #hold(socket: Socket): void {
    this.#socket = socket;
    if (this.#over) socket.destroy();
  }

  #listen(socket: Socket): void {
    const { readTimeout, writeTimeout } = this.#settings;
    const onData = guarded(this, (chunk: Buffer) =>
      this.#read(this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk])),
    );
    const onDrain = guarded(this, () => this.#request.body.resume());
    const onError = guarded(this, (error: Error) =>
      this.#fail('closed', `the connection to the responder broke: ${error.message}`, error),
    );
    const onEnd = guarded(this, () => this.#fail('closed', 'the responder closed the connection within its response'));
    const onClose = guarded(this, () => this.#fail('closed', 'the connection to the responder was closed'));
    socket.on('data', onData).on('drain', onDrain).on('error', onError).on('end', onEnd).on('close', onClose);
    askAtWriteFailure(socket, () => {
      this.#broken = true;
      return !this.#over;
    });
    const quiet = Math.min(...[readTimeout, writeTimeout].filter((time) => time > 0));
    if (quiet !== Number.POSITIVE_INFINITY)
      socket.setTimeout(
        quiet,
        guarded(this, () => this.#fail('timeout', 'the responder was silent for too long')),
      );
  }

  // ---- The request -------------------------------------------------------------------------------------------------

  onData(chunk: Buffer): boolean {
    return this.#over || this.#broken || (this.#socket as Socket).write(streamRecords(stdinRecord, chunk));
  }

  onEnd(): void {
    if (!this.#over && !this.#broken) this.#socket?.write(endOfStream(stdinRecord));
  }

  onError(error: Error): void {
    this.#failWith(error);
  }

  // ---- The response --------------------------------------------------------------------------------------------------

  #read(bytes: Buffer): void {
    this.#rest = null;
    const used = this.#reader.push(bytes);
    if (this.#over) return;
    if (used < 0) {
      this.#fail('malformed', 'the responder does not speak FastCGI');
      return;
    }
    if (used < bytes.length) this.#rest = bytes.subarray(used);
    if (this.#ended) this.#finish();
    else if (this.#response.begun) this.#sink.onLull();
  }

  #onRecord(type: number, content: Buffer): boolean {
    if (type === stderrRecord) {
      if (this.#errors.length < maxErrors) this.#errors += content.toString('utf8');
      return true;
    }
    if (type === endRequest) {
      this.#ended = true;
      return false;
    }
    if (type !== stdoutRecord) return true;
    const flows = this.#response.push(content);
    if (this.#over) return false;
    if (this.#response.problem !== '') {
      this.#fail('malformed', `the responder sent a malformed response: ${this.#response.problem}`);
      return false;
    }
    if (!flows) {
      this.#paused = true;
      this.#socket?.pause();
    }
    return flows;
  }

  #finish(): void {
    if (this.#paused || this.#over) return;
    if (!this.#response.begun) {
      this.#fail('malformed', 'the responder sent a response without a head');
      return;
    }
    this.#close();
    if (this.#response.complete) this.#sink.onEnd(null);
    else this.#sink.onError(new UpstreamError('closed', 'the response is shorter than it said'));
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (!this.#response.flush()) {
      this.#paused = true;
      return;
    }
    const rest = this.#rest;
    if (rest !== null) this.#read(rest);
    else if (this.#ended) this.#finish();
    if (!this.#paused) this.#socket?.resume();
  }

  // ---- The end -----------------------------------------------------------------------------------------------------

  abort(): void {
    this.#close();
  }

  /** A callback of the connection has thrown: the request fails. */
  fault(error: unknown): void {
    if (this.#over) reportFault({ part: 'exchange', error, module: 'http.reverse_proxy.transport.fastcgi' });
    else this.#failWith(error as Error);
  }

  #fail(kind: UpstreamFailure, message: string, cause?: unknown): void {
    this.#failWith(new UpstreamError(kind, message, cause));
  }

  #failWith(error: Error): void {
    if (this.#over) return;
    this.#close();
    this.#sink.onError(error);
  }

  #close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#socket?.destroy();
    this.#logErrors();
  }

  #logErrors(): void {
    const text = this.#errors.trimEnd();
    if (text === '') return;
    const { log, captureStderr } = this.#settings;
    if (captureStderr) for (const line of text.split('\n')) log.warn(line);
    else log.error('a script wrote to standard error', { stderr: text });
  }
}
