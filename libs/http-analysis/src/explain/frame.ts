/** Reads and changes by one matcher or handler. */
import type { Json } from '@sluice/base';

/** Reads and changes of a running matcher or handler. */
export class Frame {
  /** Unknown facts that it read. */
  readonly unknown = new Set<string>();
  /** True if it read a fact that the client provided. */
  given = false;
  readonly got = new Map<string, Json>();
  /** Changes of the request, as pairs of old and new values. */
  readonly changed = new Map<string, [Json, Json]>();

  /** Records a change. If a key changes several times, the first and last values are kept. */
  change(key: string, before: Json, after: Json): void {
    const known = this.changed.get(key);
    if (known === undefined) this.changed.set(key, [before, after]);
    else known[1] = after;
  }
}
