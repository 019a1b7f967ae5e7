/** A persistent list for long arrays with frequent small changes, such as server routes. */
import { itemAt } from './bounded.ts';
import { lowerBound } from './lower-bound.ts';
import { spliceOf, type ArraySplice } from '../json/splice.ts';

/** Target number of elements per chunk. */
const defaultSize = 64;
/** Maximum number of elements per chunk. Larger chunks are split. */
const maxSize = 128;
/** Minimum number of elements per chunk. A smaller chunk is merged with a neighbor. */
const minSize = 16;

/**
 * An immutable list. {@link replace} returns a new list that shares unchanged chunks with the original list.
 *
 * A change copies one chunk and the array of chunks, rather than all elements. A comparison of two lists skips their shared chunks.
 */
export class ChunkedList<T> implements Iterable<T> {
  readonly length: number;
  /** Chunks of the list. No chunk is empty. A short list has a single chunk. */
  readonly chunks: readonly (readonly T[])[];

  private constructor(chunks: readonly (readonly T[])[], length: number) {
    this.chunks = chunks;
    this.length = length;
  }

  static of<T>(elements: readonly T[] | ChunkedList<T>): ChunkedList<T> {
    return elements instanceof ChunkedList ? elements : new ChunkedList(cut(elements), elements.length);
  }

  at(index: number): T | undefined {
    if (index < 0) return undefined;
    const place = placeOf(this.chunks, index);
    return this.chunks[place.chunk]?.[place.offset];
  }

  slice(start: number, end: number): T[] {
    if (start >= end) return [];
    const first = placeOf(this.chunks, start);
    const last = placeOf(this.chunks, end);
    const touched = this.chunks.slice(first.chunk, last.chunk + 1).flat();
    return touched.slice(first.offset, first.offset + end - start);
  }

  /** Returns the number of elements in the sorted list that precede the sought position; see the function {@link lowerBound}. */
  lowerBound(compare: (element: T) => number): number {
    let before = 0;
    for (const chunk of this.chunks) {
      if (compare(itemAt(chunk, chunk.length - 1)) >= 0) return before + lowerBound(chunk, compare);
      before += chunk.length;
    }
    return before;
  }

  /**
   * Returns a new list in which the elements in `inserted` replace `removed` elements, starting at index `start`. `removed` is the number
   * of elements to replace.
   */
  replace(start: number, removed: number, inserted: readonly T[]): ChunkedList<T> {
    if (removed === 0 && inserted.length === 0) return this;
    const { chunks } = this;
    const first = placeOf(chunks, start);
    const last = placeOf(chunks, start + removed);
    let [from, to] = [first.chunk, last.offset === 0 ? last.chunk : last.chunk + 1];
    const head = chunks[from]?.slice(0, first.offset) ?? [];
    const tail = last.offset === 0 ? [] : itemAt(chunks, last.chunk).slice(last.offset);
    let middle = head.concat(inserted, tail);
    if (middle.length < minSize) {
      if (to < chunks.length) middle = middle.concat(itemAt(chunks, to++));
      else if (from > 0) middle = itemAt(chunks, --from).concat(middle);
    }
    return new ChunkedList(
      chunks.slice(0, from).concat(cut(middle), chunks.slice(to)),
      this.length - removed + inserted.length,
    );
  }

  /** Returns a list of the mapped elements, with the same chunk boundaries. */
  map<R>(change: (element: T, index: number) => R): ChunkedList<R> {
    let index = 0;
    const chunks = this.chunks.map((chunk) => chunk.map((element) => change(element, index++)));
    return new ChunkedList(chunks, this.length);
  }

  /** Returns the elements as a single array. The array may share memory with the list, so callers must not modify it. */
  toArray(): readonly T[] {
    const [first = []] = this.chunks;
    return this.chunks.length > 1 ? this.chunks.flat() : first;
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (const chunk of this.chunks) yield* chunk;
  }
}

/**
 * Returns the difference between two lists. If one list was derived from the other, the cost is proportional to the number of different
 * chunks.
 */
export function spliceOfLists<T>(before: ChunkedList<T>, after: ChunkedList<T>): ArraySplice {
  const shared = spliceOf(before.chunks, after.chunks);
  const { start, removed, inserted } = spliceOf(
    before.chunks.slice(shared.start, shared.start + shared.removed).flat(),
    after.chunks.slice(shared.start, shared.start + shared.inserted).flat(),
  );
  return { start: start + lengthOf(before.chunks, shared.start), removed, inserted };
}

/** Returns the total number of elements in the first `count` chunks. */
function lengthOf(chunks: readonly (readonly unknown[])[], count: number): number {
  let length = 0;
  for (let i = 0; i < count; i++) length += itemAt(chunks, i).length;
  return length;
}

/**
 * Finds the chunk that contains an index, and the offset within the chunk. For an index beyond the end, returns a position after the last
 * chunk.
 */
function placeOf(chunks: readonly (readonly unknown[])[], index: number): { chunk: number; offset: number } {
  let [chunk, offset] = [0, index];
  for (; chunk < chunks.length; chunk++) {
    const { length } = itemAt(chunks, chunk);
    if (offset < length) return { chunk, offset };
    offset -= length;
  }
  return { chunk, offset: 0 };
}

/** Splits an array into chunks of about equal size. */
function cut<T>(elements: readonly T[]): (readonly T[])[] {
  const { length } = elements;
  if (length === 0) return [];
  const count = length <= maxSize ? 1 : Math.round(length / defaultSize);
  return Array.from({ length: count }, (_, i) =>
    elements.slice(Math.floor((i * length) / count), Math.floor(((i + 1) * length) / count)),
  );
}
