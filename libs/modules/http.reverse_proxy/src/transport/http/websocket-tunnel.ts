/** WebSocket connection over an HTTP/3 stream (RFC 9220), with the interface of a socket. */
import { createHash } from 'node:crypto';
import { Duplex } from 'node:stream';
import type { HeaderMap } from '@sluice/http1';
import type { Http3ClientStream } from '@sluice/http3';

type Callback = (error?: Error | null) => void;

/** Suffix appended to the key before hashing it for `Sec-WebSocket-Accept` (RFC 6455 §4.2.2). */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export class WebSocketTunnel extends Duplex {
  readonly #stream: Http3ClientStream;
  /** Number of received bytes that the reader has not consumed. The flow control credit for these bytes is still outstanding. */
  #uncredited = 0;
  #onRoom: Callback | null = null;
  #hasEnded = false;

  constructor(stream: Http3ClientStream) {
    super({ allowHalfOpen: true });
    this.#stream = stream;
  }

  /** Called with bytes from the upstream. The tunnel copies them. */
  received(bytes: Buffer): void {
    if (this.push(Buffer.from(bytes))) this.#stream.credit(bytes.length);
    else this.#uncredited += bytes.length;
  }

  /** Called when the upstream has sent all data. */
  ended(): void {
    this.#hasEnded = true;
    this.push(null);
  }

  /** Called when the stream accepts more data. */
  room(): void {
    const callback = this.#onRoom;
    this.#onRoom = null;
    callback?.();
  }

  override _read(): void {
    const bytes = this.#uncredited;
    this.#uncredited = 0;
    if (bytes > 0) this.#stream.credit(bytes);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    if (this.#stream.write(chunk)) callback();
    else this.#onRoom = callback;
  }

  override _final(callback: Callback): void {
    this.#stream.end(null);
    callback();
  }

  override _destroy(error: Error | null, callback: Callback): void {
    if (!this.#hasEnded || error !== null) this.#stream.cancel();
    callback(error);
  }
}

/** Adds the fields of an HTTP/1.1 upgrade response (RFC 6455 §4.2.2). `key` is the value of the client's Sec-WebSocket-Key field. */
export function addUpgradeFields(headers: HeaderMap, upgrade: string, key: string | undefined): void {
  headers.set('connection', 'Upgrade');
  headers.set('upgrade', upgrade);
  if (key !== undefined)
    headers.set('sec-websocket-accept', createHash('sha1').update(`${key}${acceptSuffix}`).digest('base64'));
}
