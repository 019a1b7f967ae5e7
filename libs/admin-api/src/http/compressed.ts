/** Compresses responses and event streams for clients that ask for it. Those that don't get the bytes that the reference sends. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import {
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  type BrotliCompress,
  type Gzip,
  type ZstdCompress,
} from 'node:zlib';
import { guarded, taskOf } from '@sluice/base';
import { codingsIn } from './accept.ts';

type Encoder = Gzip | BrotliCompress | ZstdCompress;
type Chunk = string | Buffer;
type Done = (() => void) | undefined;
type WriteHead = (status: number, fields: OutgoingHttpHeaders) => unknown;
type End = (chunk?: Chunk) => unknown;

/** Shorter responses are not worth it, in bytes. */
const minLength = 1024;

/** By preference, with settings that cost the control thread's pool little. */
const encoders: Readonly<Record<string, () => Encoder>> = {
  zstd: () => createZstdCompress(),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ level: 4 }),
};

const compressible = /^(?:text\/|application\/(?:[\w.]+\+)?(?:json|yaml)\b|application\/openmetrics-text)/i;
const isStream = /^text\/event-stream\b/i;

/** Has the response to a request compressed, if its client accepts that and the response is long or a stream. */
export function compressFor(request: IncomingMessage, response: ServerResponse): void {
  const accepted = codingsIn(request);
  const coding = Object.keys(encoders).find((name) => accepted.has(name));
  if (coding !== undefined && request.method !== 'HEAD') new CompressedResponse(response, coding).install();
}

/** Takes the place of the methods of a response that write. */
class CompressedResponse {
  readonly #response: ServerResponse;
  readonly #coding: string;
  readonly #writeHead: WriteHead;
  readonly #write: (chunk: Chunk) => boolean;
  readonly #end: End;
  #encoder: Encoder | null = null;
  /** True if each piece is sent immediately. */
  #flushes = false;

  constructor(response: ServerResponse, coding: string) {
    this.#response = response;
    this.#coding = coding;
    this.#writeHead = response.writeHead.bind(response) as WriteHead;
    this.#write = response.write.bind(response);
    this.#end = response.end.bind(response) as End;
  }

  install(): void {
    const response = this.#response;
    response.writeHead = ((status: number, fields: OutgoingHttpHeaders = {}) => {
      this.#begin(status, fields);
      return response;
    }) as typeof response.writeHead;
    response.write = ((chunk: Chunk) => {
      if (!response.headersSent) response.writeHead(response.statusCode);
      return this.#encoder === null ? this.#write(chunk) : this.#compress(this.#encoder, chunk);
    }) as typeof response.write;
    response.end = ((chunk?: Chunk | (() => void), encodingOrDone?: BufferEncoding | Done, done?: Done) => {
      const last = typeof chunk === 'function' ? undefined : chunk;
      const callback = [chunk, encodingOrDone, done].find((each) => typeof each === 'function');
      if (callback !== undefined) response.once('finish', guarded(taskOf('admin'), callback));
      if (!response.headersSent) {
        if (last !== undefined && response.getHeader('content-length') === undefined)
          response.setHeader('Content-Length', Buffer.byteLength(last));
        response.writeHead(response.statusCode);
      }
      if (this.#encoder === null) this.#end(last);
      else this.#encoder.end(last);
      return response;
    }) as typeof response.end;
  }

  #begin(status: number, given: OutgoingHttpHeaders): void {
    const response = this.#response;
    const fields = new Map(Object.entries({ ...response.getHeaders(), ...lowerCase(given) }));
    const type = String(fields.get('content-type') ?? '');
    const length = Number(fields.get('content-length') ?? Number.POSITIVE_INFINITY);
    const isWorthIt = status >= 200 && status < 300 && compressible.test(type) && length >= minLength;
    if (!isWorthIt || fields.has('content-encoding')) {
      this.#writeHead(status, given);
      return;
    }
    response.removeHeader('content-length');
    const vary = [fields.get('vary'), 'Accept-Encoding'].filter((each) => each !== undefined).join(', ');
    const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !/^(?:content-length|vary)$/i.test(name)));
    this.#writeHead(status, { ...rest, 'Content-Encoding': this.#coding, Vary: vary });
    this.#flushes = isStream.test(type);
    this.#encoder = this.#connect((encoders[this.#coding] as () => Encoder)());
  }

  /** Sends what comes out of an encoder, no faster than the client reads. */
  #connect(encoder: Encoder): Encoder {
    const response = this.#response;
    const task = taskOf('admin');
    // Each place that writes has listeners of its own, and this is one more.
    response.setMaxListeners(response.getMaxListeners() + 1);
    encoder.on(
      'data',
      guarded(task, (bytes: Buffer) => {
        if (!this.#write(bytes)) encoder.pause();
      }),
    );
    encoder.once(
      'end',
      guarded(task, () => void this.#end()),
    );
    // Whoever waits to write on listens to the response.
    encoder.on(
      'drain',
      guarded(task, () => void response.emit('drain')),
    );
    encoder.on(
      'error',
      guarded(task, () => void response.destroy()),
    );
    response.on(
      'drain',
      guarded(task, () => void encoder.resume()),
    );
    response.once(
      'close',
      guarded(task, () => void encoder.destroy()),
    );
    Object.defineProperty(response, 'writableNeedDrain', { get: () => encoder.writableNeedDrain });
    return encoder;
  }

  #compress(encoder: Encoder, chunk: Chunk): boolean {
    const hasRoom = encoder.write(chunk);
    if (this.#flushes) encoder.flush();
    return hasRoom;
  }
}

function lowerCase(fields: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
}
