/** A request body that keeps its first part in memory, so that the body can be sent again on another connection. */
import { itemAt } from '@sluice/base';
import { RequestBody, type BodySink } from '../exchange/body.ts';
import type { HeaderMap } from '@sluice/http1';

export class ReplayableBody extends RequestBody implements BodySink {
  /** True, because this body copies the data that it stores, and transports copy the data that they receive. */
  readonly borrows = true;
  readonly #inner: RequestBody;
  #limit: number;
  readonly #kept: Buffer[] = [];
  #size = 0;
  /** True if more data arrived than fits in the buffer, which means that the body can't be rewound. */
  #overflowed = false;
  #begun = false;
  #innerPaused = false;
  #ended = false;
  /** Number of bytes in a fully buffered body; -1 if unknown. */
  #counted = -1;
  #error: Error | null = null;
  #sink: BodySink | null = null;
  #next = 0;
  #blocked = false;
  #running = false;
  #whenFilled: (() => void) | null = null;

  constructor(inner: RequestBody, limit: number) {
    super();
    this.#inner = inner;
    this.#limit = limit;
  }

  get length(): number {
    return this.#counted < 0 ? this.#inner.length : this.#counted;
  }

  get trailers(): HeaderMap | null {
    return this.#inner.trailers;
  }

  get consumed(): boolean {
    return this.#sink !== null;
  }

  /** True if all data delivered so far can be delivered a second time. */
  get replayable(): boolean {
    return !this.#overflowed;
  }

  /** Detaches the body from its consumer and rewinds it. Returns false if the start of the body is no longer buffered. */
  rewind(): boolean {
    this.#sink = null;
    this.#next = 0;
    this.#blocked = false;
    return !this.#overflowed;
  }

  /** Stops buffering data, because no other consumer will follow. */
  release(): void {
    this.#limit = 0;
  }

  fill(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenFilled = resolve;
      this.#begin();
      this.#checkFilled();
    });
  }

  /** True if the body is complete and empty. Valid after {@link fill}. */
  get isEmpty(): boolean {
    return this.#ended && this.#size === 0;
  }

  /** Sets the length of a body that has no declared length. Has an effect only if {@link fill} buffered the entire body. */
  countLength(): void {
    if (this.#ended && (this.#size < this.#limit || this.#size === 0)) this.#counted = this.#size;
  }

  consume(sink: BodySink): void {
    this.#sink = sink;
    this.#next = 0;
    this.#blocked = false;
    this.#pump();
  }

  resume(): void {
    if (!this.#blocked) return;
    this.#blocked = false;
    this.#pump();
  }

  /** Delivers buffered data first, then new data. */
  #pump(): void {
    if (this.#running) return;
    this.#running = true;
    while (this.#sink !== null && !this.#blocked && this.#next < this.#kept.length) {
      const chunk = itemAt(this.#kept, this.#next++);
      if (!this.#sink.onData(chunk)) this.#blocked = true;
    }
    this.#running = false;
    if (this.#sink === null || this.#blocked || this.#next < this.#kept.length) return;
    if (this.#ended) this.#takeSink()?.onEnd();
    else if (this.#error !== null) this.#takeSink()?.onError(this.#error);
    else if (!this.#begun) this.#begin();
    else if (this.#innerPaused) {
      this.#innerPaused = false;
      this.#inner.resume();
    }
  }

  #takeSink(): BodySink | null {
    const sink = this.#sink;
    this.#sink = null;
    return sink;
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#inner.consume(this);
  }

  onData(chunk: Buffer): boolean {
    const keeps = !this.#overflowed && this.#size + chunk.length <= this.#limit;
    const waits = this.#sink === null || this.#blocked || this.#running || this.#next < this.#kept.length;
    if (keeps || waits) {
      // Copy the data that the consumer doesn't accept now.
      this.#kept.push(Buffer.from(chunk));
      this.#size += chunk.length;
    }
    if (!keeps && !waits) {
      this.#overflowed = true;
      this.#kept.length = this.#next = 0;
    }
    if (waits) {
      this.#innerPaused = this.#whenFilled === null || this.#size >= this.#limit;
      this.#checkFilled();
      return !this.#innerPaused;
    }
    if (keeps) this.#next = this.#kept.length;
    if (!(this.#sink as BodySink).onData(chunk)) this.#blocked = true;
    this.#innerPaused = this.#blocked;
    return !this.#blocked;
  }

  onEnd(): void {
    this.#ended = true;
    this.#checkFilled();
    this.#pump();
  }

  onError(error: Error): void {
    this.#error = error;
    this.#checkFilled();
    this.#pump();
  }

  #checkFilled(): void {
    if (this.#whenFilled === null) return;
    if (!this.#ended && this.#error === null && this.#size < this.#limit) return;
    const filled = this.#whenFilled;
    this.#whenFilled = null;
    filled();
  }
}
