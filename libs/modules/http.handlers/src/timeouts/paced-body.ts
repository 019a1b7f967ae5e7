/** A request body whose deadline moves on with the bytes that arrive. */
import { RequestBody, type BodySink, type ConnectionInfo, type HeaderMap } from '@sluice/http-app';

/** Buys a second for every `rate` bytes. */
export class PacedBody extends RequestBody {
  readonly #inner: RequestBody;
  readonly #connection: ConnectionInfo;
  readonly #rate: number;
  #deadline: number;

  /** `deadline` is the one of the connection, in milliseconds of `performance.now()`. */
  constructor(inner: RequestBody, connection: ConnectionInfo, deadline: number, rate: number) {
    super();
    this.#inner = inner;
    this.#connection = connection;
    this.#deadline = deadline;
    this.#rate = rate;
  }

  get length(): number {
    return this.#inner.length;
  }

  get trailers(): HeaderMap | null {
    return this.#inner.trailers;
  }

  get consumed(): boolean {
    return this.#inner.consumed;
  }

  override buffered(): Buffer | null {
    return this.#inner.buffered();
  }

  consume(sink: BodySink): void {
    this.#inner.consume({
      onData: (chunk) => {
        this.#deadline += (chunk.length / this.#rate) * 1000;
        this.#connection.setDeadline?.('body', this.#deadline);
        return sink.onData(chunk);
      },
      onEnd: () => sink.onEnd(),
      onError: (error) => sink.onError(error),
    });
  }

  resume(): void {
    this.#inner.resume();
  }
}
