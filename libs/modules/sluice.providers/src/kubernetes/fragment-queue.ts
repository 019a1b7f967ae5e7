/**
 * Queue that passes configuration fragments to the host, one batch at a time. Each result therefore belongs to the latest version of a
 * fragment. Changes during a batch form the next batch.
 */
import { jsonEqual } from '@sluice/base';
import type { Fragment, FragmentChanges, FragmentResults } from '@sluice/providers-app/contract';
import { compacted } from './shared-texts.ts';

export class FragmentQueue {
  /** Rejection reasons, keyed by fragment key. */
  readonly rejected = new Map<string, string>();
  readonly #send: (changes: FragmentChanges) => void;
  readonly #onApplied: (owners: ReadonlySet<string>, recovered: ReadonlySet<string>) => void;
  readonly #fragments = new Map<string, Fragment>();
  readonly #owners = new Map<string, string>();
  #pending = new Map<string, Fragment | null>();
  #inFlight: FragmentChanges = new Map();
  readonly #waiting = new Map<string, number>();

  /**
   * @param onApplied Called with the owners of fragments that became active or were rejected. Also called when a rejected fragment becomes
   *      active later without a change.
   */
  constructor(
    send: (changes: FragmentChanges) => void,
    onApplied: (owners: ReadonlySet<string>, recovered: ReadonlySet<string>) => void,
  ) {
    this.#send = send;
    this.#onApplied = onApplied;
  }

  /** All fragments, including those that are not active yet. */
  get all(): ReadonlyMap<string, Fragment> {
    return this.#fragments;
  }

  /** Reports whether all changes of the owner's configuration have been applied. */
  isSettled(owner: string): boolean {
    return !this.#waiting.has(owner);
  }

  /** Replaces the fragments of an owner. `previous` contains the keys of the owner's previous fragments. */
  set(owner: string, previous: Iterable<string>, fragments: ReadonlyMap<string, Fragment>): void {
    for (const key of previous) if (!fragments.has(key)) this.#change(owner, key, null);
    for (const [key, fragment] of fragments) {
      const known = this.#fragments.get(key);
      if (known === undefined || !isSame(known, fragment)) this.#change(owner, key, compacted(fragment));
    }
  }

  /** Returns all fragments. Marks pending changes as sent, because the host receives all fragments together. */
  takeAll(): ReadonlyMap<string, Fragment> {
    this.#inFlight = this.#pending;
    this.#pending = new Map();
    return new Map(this.#fragments);
  }

  /** Sends the pending changes as a batch, unless another batch is in flight. */
  flush(): void {
    if (this.#inFlight.size > 0 || this.#pending.size === 0) return;
    this.#inFlight = this.#pending;
    this.#pending = new Map();
    this.#send(this.#inFlight);
  }

  /** Records the results of the batch in flight, then sends the next batch. Also records the results of fragments that the host has retried. */
  settle(results: FragmentResults): void {
    const owners = new Set<string>();
    const recovered = new Set<string>();
    for (const [key, error] of results) {
      const owner = this.#owners.get(key);
      const former = this.rejected.get(key) ?? null;
      if (owner === undefined || error === former || this.#inFlight.has(key) || this.#pending.has(key)) continue;
      this.#record(key, error);
      owners.add(owner);
      if (error === null) recovered.add(owner);
    }
    if (this.#isAnswered(results)) for (const owner of this.#settleBatch(results)) owners.add(owner);
    this.#onApplied(owners, recovered);
  }

  #record(key: string, error: string | null): void {
    if (error === null) this.rejected.delete(key);
    else this.rejected.set(key, error);
  }

  /**
   * Reports whether every fragment of the batch has a result. The host may also report fragments that it removed because a previous process
   * created them.
   */
  #isAnswered(results: FragmentResults): boolean {
    for (const [key, fragment] of this.#inFlight) if (fragment !== null && !results.has(key)) return false;
    return true;
  }

  #settleBatch(results: FragmentResults): ReadonlySet<string> {
    const batch = this.#inFlight;
    this.#inFlight = new Map();
    const owners = new Set<string>();
    for (const key of batch.keys()) {
      const owner = this.#owners.get(key) ?? '';
      owners.add(owner);
      this.#record(key, results.get(key) ?? null);
      if (this.#pending.has(key)) continue;
      const left = (this.#waiting.get(owner) ?? 1) - 1;
      if (left <= 0) this.#waiting.delete(owner);
      else this.#waiting.set(owner, left);
      if (!this.#fragments.has(key)) this.#owners.delete(key);
    }
    this.flush();
    return owners;
  }

  #change(owner: string, key: string, fragment: Fragment | null): void {
    if (!this.#pending.has(key) && !this.#inFlight.has(key))
      this.#waiting.set(owner, (this.#waiting.get(owner) ?? 0) + 1);
    this.#pending.set(key, fragment);
    this.#owners.set(key, owner);
    if (fragment === null) this.#fragments.delete(key);
    else this.#fragments.set(key, fragment);
  }
}

function isSame(one: Fragment, other: Fragment): boolean {
  const hasSamePlace = one.rank === other.rank && one.fallback === other.fallback;
  return hasSamePlace && one.object === other.object && jsonEqual(one.config, other.config);
}
