/** A list for what is long and changed often and by little, such as the routes of a server. */
import { spliceOf, type ArraySplice } from '../json/splice.ts';

/** How many elements a chunk is made with. */
const usualSize = 64;
/** A chunk with more is cut. */
const largestSize = 128;
/** One with fewer is joined with a neighbour. */
const smallestSize = 16;

/**
 * A list that is never changed: {@link replace} makes another one. Both share the chunks that are the same, so that a change
 * costs a chunk and the array of chunks, not an array of all elements; and what they do not share is found by comparing chunks.
 */
export class ChunkedList<T> implements Iterable<T> {
  readonly length: number;
  /** None of them is empty. Of a short list there is one. */
  readonly chunks: readonly (readonly T[])[];

  private constructor(chunks: readonly (readonly T[])[], length: number) {
    this.chunks = chunks;
    this.length = length;
  }

  /** The elements of an array; a list is given back as it is. */
  static of<T>(elements: readonly T[] | ChunkedList<T>): ChunkedList<T> {
    return elements instanceof ChunkedList ? elements : new ChunkedList(cut(elements), elements.length);
  }

  /** The element at an index, `undefined` if there is none. */
  at(index: number): T | undefined {
    if (index < 0) return undefined;
    const place = placeOf(this.chunks, index);
    return this.chunks[place.chunk]?.[place.offset];
  }

  /** The elements from one index up to another. */
  slice(start: number, end: number): T[] {
    if (start >= end) return [];
    const first = placeOf(this.chunks, start);
    const last = placeOf(this.chunks, end);
    const touched = this.chunks.slice(first.chunk, last.chunk + 1).flat();
    return touched.slice(first.offset, first.offset + end - start);
  }

  /** The list with `inserted` in the place of `removed` elements from `start` on. */
  replace(start: number, removed: number, inserted: readonly T[]): ChunkedList<T> {
    if (removed === 0 && inserted.length === 0) return this;
    const { chunks } = this;
    const first = placeOf(chunks, start);
    const last = placeOf(chunks, start + removed);
    let [from, to] = [first.chunk, last.offset === 0 ? last.chunk : last.chunk + 1];
    const head = chunks[from]?.slice(0, first.offset) ?? [];
    const tail = last.offset === 0 ? [] : (chunks[last.chunk] as readonly T[]).slice(last.offset);
    let middle = head.concat(inserted, tail);
    if (middle.length < smallestSize) {
      if (to < chunks.length) middle = middle.concat(chunks[to++] as readonly T[]);
      else if (from > 0) middle = (chunks[--from] as readonly T[]).concat(middle);
    }
    return new ChunkedList(
      chunks.slice(0, from).concat(cut(middle), chunks.slice(to)),
      this.length - removed + inserted.length,
    );
  }

  /** The results of a function, in a list with as many chunks. */
  map<R>(change: (element: T, index: number) => R): ChunkedList<R> {
    let index = 0;
    const chunks = this.chunks.map((chunk) => chunk.map((element) => change(element, index++)));
    return new ChunkedList(chunks, this.length);
  }

  /** The elements in one array. It may be shared with the list. */
  toArray(): readonly T[] {
    const [first = []] = this.chunks;
    return this.chunks.length > 1 ? this.chunks.flat() : first;
  }

  *[Symbol.iterator](): IterableIterator<T> {
    for (const chunk of this.chunks) yield* chunk;
  }
}

/** The difference of two lists, at the cost of the chunks that they do not share where one was made of the other. */
export function spliceOfLists<T>(before: ChunkedList<T>, after: ChunkedList<T>): ArraySplice {
  const shared = spliceOf(before.chunks, after.chunks);
  const { start, removed, inserted } = spliceOf(
    before.chunks.slice(shared.start, shared.start + shared.removed).flat(),
    after.chunks.slice(shared.start, shared.start + shared.inserted).flat(),
  );
  return { start: start + lengthOf(before.chunks, shared.start), removed, inserted };
}

/** How many elements the first chunks have. */
function lengthOf(chunks: readonly (readonly unknown[])[], count: number): number {
  let length = 0;
  for (let i = 0; i < count; i++) length += (chunks[i] as readonly unknown[]).length;
  return length;
}

/** Where an element is: in which chunk, and where in it; after the last chunk for what is beyond the end. */
function placeOf(chunks: readonly (readonly unknown[])[], index: number): { chunk: number; offset: number } {
  let [chunk, offset] = [0, index];
  for (; chunk < chunks.length; chunk++) {
    const { length } = chunks[chunk] as readonly unknown[];
    if (offset < length) return { chunk, offset };
    offset -= length;
  }
  return { chunk, offset: 0 };
}

/** Chunks of about the same size, each an array that is as long as needed. */
function cut<T>(elements: readonly T[]): (readonly T[])[] {
  const { length } = elements;
  if (length === 0) return [];
  const count = length <= largestSize ? 1 : Math.round(length / usualSize);
  return Array.from({ length: count }, (_, i) =>
    elements.slice(Math.floor((i * length) / count), Math.floor(((i + 1) * length) / count)),
  );
}
