/** A request body without a known length. */
import { RequestBody, type BodySink } from '@sluice/http-app';

/** Delivers its pieces when read. */
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
