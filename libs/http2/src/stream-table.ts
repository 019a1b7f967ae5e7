/** Open streams of an HTTP/2 connection, by ID. */
import { itemAt } from '@sluice/base';
import type { Http2Stream } from './stream.ts';

/** Number of direct slots. Stream IDs are consecutive, so most open streams have a dedicated slot. */
const slots = 128;
const lastSlot = slots - 1;

export class StreamTable implements Iterable<Http2Stream> {
  readonly #slots = Array.from<Http2Stream | null>({ length: slots }).fill(null);
  readonly #others = new Map<number, Http2Stream>();
  size = 0;

  find(id: number): Http2Stream | null {
    const stream = itemAt(this.#slots, (id >>> 1) & lastSlot);
    if (stream !== null && stream.id === id) return stream;
    return this.#others.size === 0 ? null : (this.#others.get(id) ?? null);
  }

  add(stream: Http2Stream): void {
    const slot = (stream.id >>> 1) & lastSlot;
    if (this.#slots[slot] === null) this.#slots[slot] = stream;
    else this.#others.set(stream.id, stream);
    this.size++;
  }

  delete(stream: Http2Stream): void {
    const slot = (stream.id >>> 1) & lastSlot;
    if (this.#slots[slot] === stream) this.#slots[slot] = null;
    else this.#others.delete(stream.id);
    this.size--;
  }

  *[Symbol.iterator](): IterableIterator<Http2Stream> {
    for (const stream of this.#slots) if (stream !== null) yield stream;
    yield* this.#others.values();
  }
}
