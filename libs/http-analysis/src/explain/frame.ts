/** What one matcher or handler has looked at and changed. */
import type { Json } from '@sluice/base';

/** While it runs. */
export class Frame {
  /** Facts that it looked at and that no one has given. */
  readonly unknown = new Set<string>();
  /** Whether it looked at a fact that was given. */
  given = false;
  /** What it looked at. */
  readonly got = new Map<string, Json>();
  /** What it changed: before and after. */
  readonly changed = new Map<string, [Json, Json]>();

  /** Notes a change; of several of one thing the first state and the last count. */
  change(key: string, before: Json, after: Json): void {
    const known = this.changed.get(key);
    if (known === undefined) this.changed.set(key, [before, after]);
    else known[1] = after;
  }
}
