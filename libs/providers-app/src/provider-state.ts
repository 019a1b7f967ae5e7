/** State of one provider: active fragments, rejected fragments, and the state of the source. */
import { messageOf, type JsonObject } from '@sluice/base';
import { shareSubtrees } from '@sluice/reconciler';
import type { Fragment, FragmentChanges } from './contract.ts';
import { replaceFragments, sortedFragments, type FragmentReplacement } from './fragment-list.ts';
import { withRouteIds, type ProvidedSet } from './merge.ts';

/** A fragment that the server rejected. The fragment's previous version is also removed. */
export interface Rejected {
  readonly object: string;
  readonly error: string;
  /** True if the error is in one of the fragment's routes. */
  readonly isInRoute: boolean;
}

/** Reason why a fragment was rejected. */
export interface Failure {
  readonly message: string;
  /** True if the error is in a route of the fragment that caused it. */
  readonly isInRoute: boolean;
}

/**
 * State of a source. `starting`: only saved fragments, if any, are active. `synced`: the fragments match the source. `unavailable`: the
 * source can't be reached.
 */
export type SourceState = 'starting' | 'synced' | 'unavailable';

/** Fragments that would result from changes that are not active yet. */
export interface NextFragments {
  /** Changed fragments, with route IDs. */
  readonly changes: FragmentChanges;
  readonly set: ProvidedSet;
}

export class ProviderState {
  readonly name: string;
  /** Fragments that the server accepted, by key. */
  readonly #applied: Map<string, Fragment>;
  readonly #rejected = new Map<string, Rejected>();
  #conflicts: ReadonlyMap<string, string> = new Map();
  #set: ProvidedSet | null = null;
  /** State of the source and the time when it began, in milliseconds since the Unix epoch. */
  source: { readonly state: SourceState; readonly since: number; readonly error: string | null };

  /** True once the source's objects, or saved objects, are active. Stays true if the source becomes unavailable. */
  isReady: boolean;

  constructor(name: string, saved: ReadonlyMap<string, Fragment>) {
    this.name = name;
    this.#applied = new Map(saved);
    this.isReady = saved.size > 0;
    this.source = { state: 'starting', since: Date.now(), error: null };
  }

  get applied(): ReadonlyMap<string, Fragment> {
    return this.#applied;
  }

  get rejected(): ReadonlyMap<string, Rejected> {
    return this.#rejected;
  }

  /**
   * Fragments in {@link applied} that have no effect, because the document or earlier providers already use their addresses. Each value is
   * a reason.
   */
  get conflicts(): ReadonlyMap<string, string> {
    return this.#conflicts;
  }

  /** Records which fragments have no effect because of a conflict. Returns the keys of fragments whose conflict began, ended or changed. */
  enterConflicts(conflicts: ReadonlyMap<string, string>): readonly string[] {
    const known = this.#conflicts;
    this.#conflicts = conflicts;
    const keys = new Set([...known.keys(), ...conflicts.keys()]);
    return [...keys].filter((key) => known.get(key) !== conflicts.get(key));
  }

  /** Accepted fragments, in the order of their routes. */
  get set(): ProvidedSet {
    return (this.#set ??= { provider: this.name, fragments: sortedFragments(this.#applied) });
  }

  /** Returns the fragment set that would result from changes, without applying them. */
  with(changes: FragmentChanges): NextFragments {
    const identified = new Map<string, Fragment | null>();
    const replacements: FragmentReplacement[] = [];
    for (const [key, fragment] of changes) {
      const known = this.#applied.get(key);
      const made = fragment === null ? null : this.#made(key, fragment, known);
      identified.set(key, made);
      replacements.push({ old: known === undefined ? null : [key, known], made: made === null ? null : [key, made] });
    }
    const fragments = replaceFragments(this.set.fragments, replacements);
    return { changes: identified, set: { provider: this.name, fragments } };
  }

  /** Returns a fragment that shares its unchanged parts with the previous version. The reconciler first compares layers by object identity. */
  #made(key: string, fragment: Fragment, known: Fragment | undefined): Fragment {
    const made = withRouteIds(this.name, key, fragment);
    return known === undefined ? made : { ...made, config: shareSubtrees(known.config, made.config) as JsonObject };
  }

  /** Records that changes have become active. */
  commit({ changes, set }: NextFragments): void {
    for (const [key, fragment] of changes) {
      if (fragment === null) this.#applied.delete(key);
      else this.#applied.set(key, fragment);
    }
    this.#set = set;
  }

  /** Records a rejected fragment and returns the reason. */
  reject(key: string, { object }: Fragment, { message, isInRoute }: Failure): string {
    this.#rejected.set(key, { object, error: message, isInRoute });
    return message;
  }

  /** Removes the rejections of fragments that will be replaced or removed. */
  clearRejected(keys: Iterable<string>): void {
    for (const key of keys) this.#rejected.delete(key);
  }

  /** Records the state of the source. Returns true if the state changed. */
  enter(state: SourceState, error: unknown = null): boolean {
    const text = error === null ? null : messageOf(error);
    if (this.source.state === state && this.source.error === text) return false;
    this.source = { state, since: Date.now(), error: text };
    return true;
  }
}
