/** A stream that a WebSocket has taken over (RFC 8441), with the interface of a socket. */
import { Duplex } from 'node:stream';
import type { RequestBody } from '../../exchange/body.ts';
import type { MultiplexedStream } from '../multiplexed-stream.ts';

type Callback = (error?: Error | null) => void;

/** Reads from the request body and writes to the stream. */
export class StreamTunnel extends Duplex {
  readonly #stream: MultiplexedStream;
  readonly #body: RequestBody;
  /** Callback of the current write. Called when the written data has left the stream. */
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
      // Close without an `end` event, like a socket whose peer has disconnected.
      onError: () => this.destroy(),
    });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    // Writing an empty chunk sends nothing, so its callback would never run. Call it directly.
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
    // Don't reset the stream, because its end may still be queued. Instead, ask the client to stop sending.
    if (error === null && this.#stream.ending) this.#stream.stop();
    else this.#stream.reset(error === null ? codes.noError : codes.cancel);
    callback(error);
  }

  /** Called by the stream when the written data has been sent. */
  sent(): void {
    const callback = this.#onSent;
    this.#onSent = null;
    callback?.();
  }
}
