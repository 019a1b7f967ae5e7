/** A response whose deadline moves on with the bytes that are written, and whose writes are not larger than wanted. */
import { ResponseFilter, type Chunk, type ConnectionInfo, type ResponseWriter } from '@sluice/http-app';

/** What a {@link PacedResponse} keeps to. */
export interface Pace {
  /** Whose deadline moves; `null` for none. */
  readonly connection: ConnectionInfo | null;
  /** The deadline before anything is written, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** Bytes that buy a second. */
  readonly rate: number;
  /** Largest single write, in bytes. */
  readonly maxWrite: number;
}

/** On top of the response while the handlers that follow run. */
export class PacedResponse extends ResponseFilter {
  readonly #pace: Pace;
  #deadline: number;

  constructor(inner: ResponseWriter, pace: Pace) {
    super(inner);
    this.#pace = pace;
    this.#deadline = pace.deadline;
  }

  override write(chunk: Chunk): boolean {
    const { maxWrite } = this.#pace;
    this.#count(chunk);
    if (longest(chunk) <= maxWrite) return this.inner.write(chunk);
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let goOn = true;
    for (let at = 0; at < bytes.length; at += maxWrite) goOn = this.inner.write(bytes.subarray(at, at + maxWrite));
    return goOn;
  }

  override end(chunk?: Chunk): void {
    if (chunk === undefined || longest(chunk) <= this.#pace.maxWrite) {
      if (chunk !== undefined) this.#count(chunk);
      this.inner.end(chunk);
      return;
    }
    this.write(chunk);
    this.inner.end();
  }

  #count(chunk: Chunk): void {
    const { connection, rate } = this.#pace;
    if (connection === null) return;
    this.#deadline += (chunk.length / rate) * 1000;
    connection.setDeadline?.('answer', this.#deadline);
  }
}

/** Bytes that a chunk can have at most. */
function longest(chunk: Chunk): number {
  return typeof chunk === 'string' ? chunk.length * 3 : chunk.length;
}
