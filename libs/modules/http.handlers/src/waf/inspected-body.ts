/** A request body whose beginning is inspected by the WAF before handlers read it. */
import { BodyFilter, type BodySink, type RequestBody } from '@sluice/http-app';

export class InspectedBody extends BodyFilter {
  /** Inspected body chunks that the next handler has not read yet. */
  #pieces: Buffer[] = [];
  #inspected = 0;
  #ended = false;
  #error: Error | null = null;
  #wake: (() => void) | null = null;
  #sink: BodySink | null = null;
  /** True once the next handler has received the end of the body or an error. */
  #delivered = false;

  constructor(inner: RequestBody) {
    super(inner);
    inner.consume({
      onData: (chunk) => this.#onData(chunk),
      onEnd: () => {
        this.#ended = true;
        this.#changed();
      },
      onError: (error) => {
        this.#error = error;
        this.#changed();
      },
    });
  }

  override get consumed(): boolean {
    return this.#sink !== null;
  }

  /** Returns the next body chunk to inspect, or `null` at the end of the body. Call only before {@link consume}. */
  async nextPiece(): Promise<Buffer | null> {
    for (;;) {
      const piece = this.#pieces[this.#inspected];
      if (piece !== undefined) {
        this.#inspected++;
        return piece;
      }
      if (this.#error !== null) throw this.#error;
      if (this.#ended) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.inner.resume();
      });
    }
  }

  override buffered(): Buffer | null {
    return this.#ended && this.#sink === null ? Buffer.concat(this.#pieces) : null;
  }

  override consume(sink: BodySink): void {
    this.#sink = sink;
    this.resume();
  }

  override resume(): void {
    const sink = this.#sink;
    if (sink === null) return;
    for (let piece; (piece = this.#pieces.shift()) !== undefined;) if (!sink.onData(piece)) return;
    if (this.#error === null && !this.#ended) this.inner.resume();
    else this.#deliverEnd(sink);
  }

  #deliverEnd(sink: BodySink): void {
    if (this.#delivered) return;
    this.#delivered = true;
    if (this.#error === null) sink.onEnd();
    else sink.onError(this.#error);
  }

  #onData(chunk: Buffer): boolean {
    if (this.#sink !== null) return this.#sink.onData(chunk);
    this.#pieces.push(Buffer.from(chunk));
    this.#changed();
    return false;
  }

  #changed(): void {
    const isOver = this.#error !== null || this.#ended;
    if (this.#sink !== null && this.#pieces.length === 0 && isOver) this.#deliverEnd(this.#sink);
    this.#wake?.();
    this.#wake = null;
  }
}
