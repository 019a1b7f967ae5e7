/** Compresses responses and event streams for clients that accept compression. For other clients, responses are identical to Caddy's. */
import { ServerResponse, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
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
type Done = () => void;

/** Minimum size of a response to compress, in bytes. */
const minLength = 1024;

/** Compression encoders in order of preference. Their settings minimize CPU use in the control thread's thread pool. */
const encoders = {
  zstd: () => createZstdCompress(),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ level: 4 }),
} satisfies Readonly<Record<string, () => Encoder>>;

type Coding = keyof typeof encoders;

const compressible = /^(?:text\/|application\/(?:[\w.]+\+)?(?:json|yaml)\b|application\/openmetrics-text)/i;
const isStream = /^text\/event-stream\b/i;

/** A response with optional compression. It is compressed if the client accepts compression and the body is long or a stream. */
export class CompressibleResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Content encoding that the client prefers. `null` disables compression. */
  #coding: Coding | null = null;
  #encoder: Encoder | null = null;
  /** True to flush each chunk immediately. */
  #flushes = false;

  /** Enables compression if the client accepts one of the supported content encodings. */
  compressFor(request: IncomingMessage): void {
    if (request.method === 'HEAD') return;
    const accepted = codingsIn(request);
    this.#coding = (Object.keys(encoders) as Coding[]).find((name) => accepted.has(name)) ?? null;
  }

  override writeHead(status: number, ...given: unknown[]): this {
    const coding = this.#coding;
    if (coding === null) return super.writeHead(status, ...(given as [OutgoingHttpHeaders?]));
    const fields = given.at(-1);
    if (isFields(fields)) for (const [name, value] of Object.entries(fields)) this.setHeader(name, value ?? '');
    const type = String(this.getHeader('Content-Type') ?? '');
    const length = Number(this.getHeader('Content-Length') ?? Number.POSITIVE_INFINITY);
    const isWorthIt = status >= 200 && status < 300 && compressible.test(type) && length >= minLength;
    if (!isWorthIt || this.hasHeader('Content-Encoding')) return super.writeHead(status);
    const vary = [this.getHeader('Vary'), 'Accept-Encoding'].filter((each) => each !== undefined).join(', ');
    this.removeHeader('Content-Length');
    this.removeHeader('Vary');
    this.setHeader('Content-Encoding', coding).setHeader('Vary', vary);
    super.writeHead(status);
    this.#flushes = isStream.test(type);
    this.#encoder = this.#connect(encoders[coding]());
    return this;
  }

  override write(chunk: Chunk, ...rest: unknown[]): boolean {
    if (this.#coding !== null && !this.headersSent) this.writeHead(this.statusCode);
    if (this.#encoder === null) return super.write(chunk, ...(rest as [Done?]));
    const hasRoom = this.#encoder.write(chunk, ...(rest as [Done?]));
    if (this.#flushes) this.#encoder.flush();
    return hasRoom;
  }

  override end(...given: unknown[]): this {
    const [last] = given;
    if (this.#coding !== null && !this.headersSent) {
      if (isChunk(last) && !this.hasHeader('Content-Length')) this.setHeader('Content-Length', Buffer.byteLength(last));
      this.writeHead(this.statusCode);
    }
    if (this.#encoder === null) return super.end(...(given as [Done?]));
    const done = given.find((each) => typeof each === 'function');
    if (done !== undefined) this.once('finish', guarded(taskOf('admin'), done as Done));
    this.#encoder.end(isChunk(last) ? last : undefined);
    return this;
  }

  /** Connects an encoder to the response, with backpressure: the encoder pauses while the client reads slowly. */
  #connect(encoder: Encoder): Encoder {
    const task = taskOf('admin');
    // Each writer adds event listeners, so raise the limit by one.
    this.setMaxListeners(this.getMaxListeners() + 1);
    const send = (bytes: Buffer): void => {
      if (!super.write(bytes)) encoder.pause();
    };
    encoder.on('data', guarded(task, send));
    encoder.once(
      'end',
      guarded(task, () => void super.end()),
    );
    // Forward `drain` events to the response. Writers wait for `drain` on the response rather than on the encoder.
    encoder.on(
      'drain',
      guarded(task, () => void this.emit('drain')),
    );
    encoder.on(
      'error',
      guarded(task, () => void this.destroy()),
    );
    this.on(
      'drain',
      guarded(task, () => void encoder.resume()),
    );
    this.once(
      'close',
      guarded(task, () => void encoder.destroy()),
    );
    Object.defineProperty(this, 'writableNeedDrain', { get: () => encoder.writableNeedDrain });
    return encoder;
  }
}

function isFields(value: unknown): value is OutgoingHttpHeaders {
  return typeof value === 'object' && value !== null;
}

function isChunk(value: unknown): value is Chunk {
  return typeof value === 'string' || Buffer.isBuffer(value);
}
