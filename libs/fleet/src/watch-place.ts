/** Position of a watch on the fleet log. Stores use it to check that new entries continue the log. */
import { continues, headAt, type Entry, type Head } from './entry.ts';

export class WatchPlace {
  /** Next revision. */
  next: number;
  /** Head of the log that the next revision must extend. `null` until the store has been read. */
  #seen: Head | null = null;

  constructor(from: number) {
    this.next = from;
  }

  /**
   * Checks a log that ends at `head`. `first` is the log's first entry at or after {@link next}. Returns false if entries that were already
   * read are missing from the log.
   */
  check(head: Head | null, first: Entry | undefined): boolean {
    if (this.#seen !== null) return continues(this.#seen, head, first);
    if ((head?.rev ?? 0) < this.next - 1) return false;
    if (head !== null && first?.rev === this.next)
      this.#seen = { lineage: head.lineage, rev: this.next - 1, hash: first.parent };
    else if (head?.rev === this.next - 1) this.#seen = head;
    return true;
  }

  /** Reports whether an entry has the next expected revision. */
  expects(entry: Entry): boolean {
    return entry.rev === this.next && (this.#seen === null || entry.parent === this.#seen.hash);
  }

  /** Moves the position past a delivered entry. */
  pass(lineage: string, entry: Entry): void {
    this.#seen = headAt(lineage, entry);
    this.next = entry.rev + 1;
  }
}
