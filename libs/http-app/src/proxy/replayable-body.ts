/** Request body that retains its beginning, so that the body can be sent again on another connection. */
import { itemAt } from '@sluice/base';
import { RequestBody, type BodySink } from '../exchange/body.ts';
import type { HeaderMap } from '@sluice/http1';

/** Retains delivered data up to a limit. One consumer at a time; {@link rewind} allows the next consumer. */
export class ReplayableBody extends RequestBody implements BodySink {
  /** Retained data is copied, and transports also copy received data. */
  readonly borrows = true;
  readonly #inner: RequestBody;
  /** Maximum bytes kept. */
  #limit: number;
  readonly #kept: Buffer[] = [];
  #size = 0;
  /** More data arrived than the limit retains, so a rewind is impossible. */
  #overflowed = false;
  #begun = false;
  #innerPaused = false;
  #ended = false;
  /** Counted bytes; -1 if not counted. */
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

  /** True if everything the consumer received can be delivered again. */
  get replayable(): boolean {
    return !this.#overflowed;
  }

  /** Detaches the body from its consumer. Returns false if the next consumer couldn't read the body from the beginning. */
  rewind(): boolean {
    this.#sink = null;
    this.#next = 0;
    this.#blocked = false;
    return !this.#overflowed;
  }

  /** Stops retaining data, and frees retained data on delivery, because no other consumer will follow. */
  release(): void {
    this.#limit = 0;
  }

  /** Reads up to the limit or the end, before a reader consumes. */
  fill(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenFilled = resolve;
      this.#begin();
      this.#checkFilled();
    });
  }

  /** After {@link fill}, reports whether the whole body has arrived and is empty. */
  get isEmpty(): boolean {
    return this.#ended && this.#size === 0;
  }

  /** After {@link fill}, sets the length of a body without a declared length, if the body fit within the limit. */
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

  /** Delivers the retained data, then incoming data. */
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
      // Data that is not consumed now must be retained.
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
