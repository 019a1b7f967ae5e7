/** State of one provider: active and rejected fragments, and the source state. */
import { compareText, messageOf } from '@sluice/base';
import type { Fragment, FragmentChanges } from './contract.ts';
import { withRouteIds, type ProvidedSet } from './merge.ts';

/** A fragment that the server rejected. The server also removes the previous version of the fragment. */
export interface Rejected {
  readonly object: string;
  readonly error: string;
}

/** `synced` = the fragments match the source; `starting` = there are only saved fragments, or none. */
export type SourceState = 'starting' | 'synced' | 'unavailable';

export class ProviderState {
  readonly name: string;
  /** Fragments in effect, by key. */
  #applied: ReadonlyMap<string, Fragment>;
  readonly #rejected = new Map<string, Rejected>();
  #set: ProvidedSet | null = null;
  /** State of the source, and since when, in milliseconds since the Unix epoch. */
  source: { readonly state: SourceState; readonly since: number; readonly error: string | null };

  /** True when the objects of the source, or saved ones, are in effect. Stays true if the source becomes unavailable. */
  isReady: boolean;

  constructor(name: string, saved: ReadonlyMap<string, Fragment>) {
    this.name = name;
    this.#applied = saved;
    this.isReady = saved.size > 0;
    this.source = { state: 'starting', since: Date.now(), error: null };
  }

  get applied(): ReadonlyMap<string, Fragment> {
    return this.#applied;
  }

  get rejected(): ReadonlyMap<string, Rejected> {
    return this.#rejected;
  }

  /** Active fragments, in the order of their routes. */
  get set(): ProvidedSet {
    return (this.#set ??= inOrder(this.name, this.#applied));
  }

  /** Returns the set that results from changes, without applying them. */
  with(changes: FragmentChanges): {
    readonly applied: ReadonlyMap<string, Fragment>;
    readonly set: ProvidedSet;
  } {
    const applied = new Map(this.#applied);
    for (const [key, fragment] of changes) {
      if (fragment === null) applied.delete(key);
      else applied.set(key, withRouteIds(this.name, key, fragment));
    }
    return { applied, set: inOrder(this.name, applied) };
  }

  /** Records that changes took effect. */
  commit({ applied, set }: ReturnType<ProviderState['with']>): void {
    this.#applied = applied;
    this.#set = set;
  }

  /** Records a rejected fragment, and returns the reason. */
  reject(key: string, { object }: Fragment, error: unknown): string {
    const message = messageOf(error);
    this.#rejected.set(key, { object, error: message });
    return message;
  }

  /** Removes rejections of fragments that are about to be replaced or removed. */
  clearRejected(keys: Iterable<string>): void {
    for (const key of keys) this.#rejected.delete(key);
  }

  /** Records the source state. Returns whether the state changed. */
  enter(state: SourceState, error: unknown = null): boolean {
    const text = error === null ? null : messageOf(error);
    if (this.source.state === state && this.source.error === text) return false;
    this.source = { state, since: Date.now(), error: text };
    return true;
  }
}

function inOrder(provider: string, fragments: ReadonlyMap<string, Fragment>): ProvidedSet {
  const rank = ([key, fragment]: readonly [string, Fragment]): string => fragment.rank ?? key;
  const sorted = [...fragments].sort((a, b) => compareText(rank(a), rank(b)) || compareText(a[0], b[0]));
  return { provider, fragments: sorted };
}
