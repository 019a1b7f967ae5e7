/** Shared state of an in-memory fleet store. All changes to the store happen in this module. */
import { sameHead, headAt, type Entry, type Head } from '../entry.ts';
import type { Snapshot, SwapResult } from '../store.ts';

/** An active lease. */
interface Held {
  readonly token: number;
  readonly value: string;
  expires: number;
}

/** A value in the store, and the lease that the value depends on. */
interface Kept {
  readonly value: string;
  readonly token: number | null;
}

/** Shared state of an in-memory fleet store. All methods are atomic. The caller provides the current time. */
export class MemoryCluster {
  head: Head | null = null;
  snapshot: Snapshot | null = null;
  readonly log: Entry[] = [];
  readonly #leases = new Map<string, Held>();
  readonly #values = new Map<string, Kept>();
  readonly #listeners = new Set<() => void>();
  #tokens = 0;

  swap(base: Head | null, lineage: string, entries: readonly Entry[]): SwapResult {
    for (const { op } of entries) {
      const rev = this.find(op);
      if (rev !== null) return { outcome: 'known', rev };
    }
    if (!sameHead(base, this.head)) return { outcome: 'lost', head: this.head };
    const last = entries.at(-1);
    if (last === undefined) return { outcome: 'swapped' };
    this.log.push(...entries);
    this.head = headAt(lineage, last);
    for (const listener of this.#listeners) listener();
    return { outcome: 'swapped' };
  }

  find(op: string): number | null {
    return this.log.find((entry) => entry.op === op)?.rev ?? null;
  }

  entries(from: number, to: number): readonly Entry[] | null {
    const first = this.log[0]?.rev ?? (this.head?.rev ?? 0) + 1;
    if (from < first) return null;
    return this.log.filter(({ rev }) => rev >= from && rev <= to);
  }

  trim(keep: number): void {
    const dropped = this.log.filter(({ rev }) => rev < keep).length;
    this.log.splice(0, dropped);
  }

  /** Subscribes to new log entries. Returns a function that unsubscribes. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Acquires a lease that expires at `expires`. Returns the fencing token, or `null` if another owner holds the lease. */
  take(
    name: string,
    value: string,
    { now, expires }: { readonly now: number; readonly expires: number },
  ): number | null {
    this.#expire(now);
    if (this.#leases.has(name)) return null;
    const token = ++this.#tokens;
    this.#leases.set(name, { token, value, expires });
    return token;
  }

  /** Extends a lease until `expires`. Returns false if the lease has been lost. */
  renew(name: string, token: number, { now, expires }: { readonly now: number; readonly expires: number }): boolean {
    if (!this.holds(name, token, now)) return false;
    (this.#leases.get(name) as Held).expires = expires;
    return true;
  }

  holds(name: string, token: number, now: number): boolean {
    this.#expire(now);
    return this.#leases.get(name)?.token === token;
  }

  release(name: string, token: number): void {
    const held = this.#leases.get(name);
    if (held?.token === token) this.#drop(name, held);
  }

  leases(prefix: string, now: number): ReadonlyMap<string, string> {
    this.#expire(now);
    return below(this.#leases, prefix);
  }

  values(prefix: string, now: number): ReadonlyMap<string, string> {
    this.#expire(now);
    return below(this.#values, prefix);
  }

  set(key: string, value: string | null, token: number | null): void {
    if (value === null) this.#values.delete(key);
    else this.#values.set(key, { value, token });
  }

  #expire(now: number): void {
    for (const [name, held] of this.#leases) if (held.expires <= now) this.#drop(name, held);
  }

  #drop(name: string, { token }: Held): void {
    this.#leases.delete(name);
    for (const [key, kept] of this.#values) if (kept.token === token) this.#values.delete(key);
  }
}

function below(map: ReadonlyMap<string, { readonly value: string }>, prefix: string): ReadonlyMap<string, string> {
  const found = [...map].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(found.map(([key, { value }]) => [key, value]));
}
