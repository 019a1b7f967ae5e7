/** A request body whose deadline moves on with the bytes that arrive. */
import { BodyFilter, type BodySink, type ConnectionInfo, type RequestBody } from '@sluice/http-app';

/** Buys a second for every `rate` bytes. */
export class PacedBody extends BodyFilter {
  readonly #connection: ConnectionInfo;
  readonly #rate: number;
  #deadline: number;

  /** `deadline` is the one of the connection, in milliseconds of `performance.now()`. */
  constructor(inner: RequestBody, connection: ConnectionInfo, deadline: number, rate: number) {
    super(inner);
    this.#connection = connection;
    this.#deadline = deadline;
    this.#rate = rate;
  }

  override consume(sink: BodySink): void {
    this.inner.consume({
      onData: (chunk) => {
        this.#deadline += (chunk.length / this.#rate) * 1000;
        this.#connection.setDeadline?.('body', this.#deadline);
        return sink.onData(chunk);
      },
      onEnd: () => sink.onEnd(),
      onError: (error) => sink.onError(error),
    });
  }
}
