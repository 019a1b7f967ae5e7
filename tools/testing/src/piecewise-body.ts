/** A request body of unknown length. */
import { RequestBody, type BodySink } from '@sluice/http-app';

/** A request body that delivers its pieces when it is read. */
export class PiecewiseBody extends RequestBody {
  readonly length = -1;
  readonly trailers = null;
  consumed = false;
  readonly #pieces: readonly string[];

  constructor(pieces: readonly string[]) {
    super();
    this.#pieces = pieces;
  }

  consume(sink: BodySink): void {
    this.consumed = true;
    for (const piece of this.#pieces) sink.onData(Buffer.from(piece));
    sink.onEnd();
  }

  resume(): void {}
}
