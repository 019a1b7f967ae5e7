/** A request body of which the beginning is kept, so that it can be sent once more to another connection. */
import { itemAt } from '@sluice/base';
import { RequestBody, type BodySink } from '../exchange/body.ts';
import type { HeaderMap } from '@sluice/http1';

/** Keeps what it delivers, up to a limit. One consumer at a time; {@link rewind} makes room for the next. */
export class ReplayableBody extends RequestBody implements BodySink {
  /** What is kept is copied, and transports copy what they get, too. */
  readonly borrows = true;
  readonly #inner: RequestBody;
  /** Most bytes that are kept. */
  #limit: number;
  readonly #kept: Buffer[] = [];
  #size = 0;
  /** More came than is kept, so that there is no way back. */
  #overflowed = false;
  #begun = false;
  #innerPaused = false;
  #ended = false;
  /** Bytes as they were counted; -1 where they were not. */
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

  /** Whether a consumer got anything that could not be delivered again. */
  get replayable(): boolean {
    return !this.#overflowed;
  }

  /** Takes the body from its consumer. False if the next one could not have it from the beginning. */
  rewind(): boolean {
    this.#sink = null;
    this.#next = 0;
    this.#blocked = false;
    return !this.#overflowed;
  }

  /** Keeps no more than it has, and forgets that as it is delivered: there will be no other consumer. */
  release(): void {
    this.#limit = 0;
  }

  /** Reads up to the limit, or to the end, before a reader consumes. */
  fill(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenFilled = resolve;
      this.#begin();
      this.#checkFilled();
    });
  }

  /** After {@link fill}: reports whether the whole body came, and has no byte. */
  get isEmpty(): boolean {
    return this.#ended && this.#size === 0;
  }

  /** After {@link fill}: gives a body its length that came without one, if less than the limit was all of it. */
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

  /** Delivers what is kept, then what comes. */
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
      // What is not taken now has to be kept in any case.
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
