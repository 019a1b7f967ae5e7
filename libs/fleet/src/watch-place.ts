/** How far a watch of the log has come; stores ask it whether what they read goes on from there. */
import { continues, headAt, type Entry, type Head } from './entry.ts';

/** The place of one watch. */
export class WatchPlace {
  /** The revision that comes next. */
  next: number;
  /** What is before it; `null` until the store was read. */
  #seen: Head | null = null;

  constructor(from: number) {
    this.next = from;
  }

  /** Takes note of a log that ends at `head`, and whose first entry from {@link next} on is `first`. Whether it still has what was seen. */
  check(head: Head | null, first: Entry | undefined): boolean {
    if (this.#seen !== null) return continues(this.#seen, head, first);
    if ((head?.rev ?? 0) < this.next - 1) return false;
    if (head !== null && first?.rev === this.next)
      this.#seen = { lineage: head.lineage, rev: this.next - 1, hash: first.parent };
    else if (head?.rev === this.next - 1) this.#seen = head;
    return true;
  }

  /** Whether an entry is the next one. */
  expects(entry: Entry): boolean {
    return entry.rev === this.next && (this.#seen === null || entry.parent === this.#seen.hash);
  }

  /** Steps over an entry that was delivered. */
  pass(lineage: string, entry: Entry): void {
    this.#seen = headAt(lineage, entry);
    this.next = entry.rev + 1;
  }
}
