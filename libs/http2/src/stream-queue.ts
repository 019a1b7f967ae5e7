/** Queue of waiting streams, ordered by urgency and then by arrival (RFC 9218 §10). */
import { queue, type Http2Stream } from './stream.ts';

export class StreamQueue {
  #first: Http2Stream | null = null;
  #last: Http2Stream | null = null;
  readonly #kind: number;

  constructor(kind: number) {
    this.#kind = kind;
  }

  /** Next stream; `null` if no stream is waiting. */
  get first(): Http2Stream | null {
    return this.#first;
  }

  /**
   * Adds a stream after other streams of the same urgency. If `before` is true, adds a non-incremental stream ahead of incremental ones.
   * Non-incremental streams are sorted by the order of their requests.
   */
  add(stream: Http2Stream, before: boolean): void {
    stream.queue = this.#kind;
    const last = this.#last;
    if (last === null) this.#first = this.#last = stream;
    else if (!before && last.urgency <= stream.urgency) {
      last.next = stream;
      this.#last = stream;
    } else this.#insert(stream, before);
  }

  shift(): void {
    const stream = this.#first;
    if (stream === null) return;
    this.#first = stream.next;
    if (this.#first === null) this.#last = null;
    stream.next = null;
    stream.queue = queue.none;
  }

  remove(stream: Http2Stream): void {
    let previous: Http2Stream | null = null;
    for (let at = this.#first; at !== stream; at = at.next) {
      if (at === null) return;
      previous = at;
    }
    if (previous === null) {
      this.shift();
      return;
    }
    previous.next = stream.next;
    if (this.#last === stream) this.#last = previous;
    stream.next = null;
    stream.queue = queue.none;
  }

  clear(): void {
    while (this.#first !== null) this.shift();
  }

  #insert(stream: Http2Stream, before: boolean): void {
    let previous: Http2Stream | null = null;
    let at = this.#first;
    while (at !== null && (before ? goesAhead(at, stream) : at.urgency <= stream.urgency)) {
      previous = at;
      at = at.next;
    }
    stream.next = at;
    if (previous === null) this.#first = stream;
    else previous.next = stream;
    if (at === null) this.#last = stream;
  }
}

/** Reports whether `other` precedes a non-incremental stream. */
function goesAhead(other: Http2Stream, stream: Http2Stream): boolean {
  if (other.urgency !== stream.urgency) return other.urgency < stream.urgency;
  return !other.incremental && other.id < stream.id;
}
