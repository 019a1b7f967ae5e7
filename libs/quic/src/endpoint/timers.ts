/** Timers for many connections, based on a single clock timer. Outdated heap entries are corrected when they come due. */

interface Timed {
  readonly deadline: number;
}

export class Timers<T extends Timed> {
  readonly #entries: { at: number; of: T }[] = [];
  /** Time of the earliest heap entry of each object. Another entry is added only for an earlier time. */
  readonly #earliest = new Map<T, number>();

  /** Earliest time when {@link due} may return a connection; `Infinity` means never. */
  get next(): number {
    return this.#entries[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Reschedules the timer of the object `of`, whose deadline has changed to `at`. */
  watch(of: T, at: number): void {
    const known = this.#earliest.get(of);
    if (known !== undefined && known <= at) return;
    this.#earliest.set(of, at);
    this.#push({ at, of });
  }

  delete(of: T): void {
    this.#earliest.delete(of);
  }

  /** Returns an object whose deadline has passed, or `null` if there is none. */
  due(now: number): T | null {
    for (;;) {
      const first = this.#entries[0];
      if (first === undefined || first.at > now) return null;
      this.#pop();
      const { of, at } = first;
      if (this.#earliest.get(of) !== at) continue;
      this.#earliest.delete(of);
      if (of.deadline <= now) return of;
      if (of.deadline !== Number.POSITIVE_INFINITY) this.watch(of, of.deadline);
    }
  }

  #push(entry: { at: number; of: T }): void {
    const entries = this.#entries;
    let index = entries.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = entries[parent];
      if (above === undefined || above.at <= entry.at) break;
      entries[index] = above;
      index = parent;
    }
    entries[index] = entry;
  }

  #pop(): void {
    const entries = this.#entries;
    const last = entries.pop();
    if (last === undefined || entries.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const left = entries[child];
      if (left === undefined) break;
      const right = entries[child + 1];
      let smallest = left;
      if (right !== undefined && right.at < left.at) {
        smallest = right;
        child += 1;
      }
      if (smallest.at >= last.at) break;
      entries[index] = smallest;
      index = child;
    }
    entries[index] = last;
  }
}
