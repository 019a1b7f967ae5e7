/** Records what a matcher or handler reads and changes. */
import type { Json } from '@sluice/base';

/** Reads and changes of one running matcher or handler. */
export class Frame {
  /** Unknown facts that the matcher or handler has read. */
  readonly unknown = new Set<string>();
  /** True if the matcher or handler has read a fact that the client provided. */
  given = false;
  readonly got = new Map<string, Json>();
  /** Changes to the request, as pairs of the old and the new value. */
  readonly changed = new Map<string, [Json, Json]>();

  /** Records a change. If a key changes several times, keeps the first and the last value. */
  change(key: string, before: Json, after: Json): void {
    const known = this.changed.get(key);
    if (known === undefined) this.changed.set(key, [before, after]);
    else known[1] = after;
  }
}
