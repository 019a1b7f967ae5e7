/** A stream that a WebSocket has taken over (RFC 8441), as a socket. */
import { Duplex } from 'node:stream';
import type { RequestBody } from '../../exchange/body.ts';
import type { MultiplexedStream } from '../multiplexed-stream.ts';

type Callback = (error?: Error | null) => void;

/** Reads the request body, and writes to the stream. */
export class StreamTunnel extends Duplex {
  readonly #stream: MultiplexedStream;
  readonly #body: RequestBody;
  /** Called when what was written has left the stream. */
  #onSent: Callback | null = null;

  constructor(stream: MultiplexedStream, body: RequestBody) {
    super({ allowHalfOpen: true });
    this.#stream = stream;
    this.#body = body;
  }

  override _read(): void {
    if (this.#body.consumed) {
      this.#body.resume();
      return;
    }
    this.#body.consume({
      onData: (chunk) => this.push(Buffer.from(chunk)),
      onEnd: () => this.push(null),
      // As of a socket whose peer is gone: it closes without an end.
      onError: () => this.destroy(),
    });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    // Nothing would be sent of an empty piece, and no one be told.
    if (chunk.length === 0) {
      callback();
      return;
    }
    this.#onSent = callback;
    this.#stream.write(chunk);
  }

  override _final(callback: Callback): void {
    this.#stream.end(null);
    callback();
  }

  override _destroy(error: Error | null, callback: Callback): void {
    const { codes } = this.#stream;
    // The end that was given may still wait for its turn.
    if (error === null && this.#stream.ending) this.#stream.stop();
    else this.#stream.reset(error === null ? codes.noError : codes.cancel);
    callback(error);
  }

  /** What was written has left the stream. Called by the stream. */
  sent(): void {
    const callback = this.#onSent;
    this.#onSent = null;
    callback?.();
  }
}
