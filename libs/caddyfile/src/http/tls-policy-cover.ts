/** Finds the automation policy that would apply to a name if an earlier policy were removed. */
import { pushTo } from '../collections.ts';
import { coversAll, type Named } from './tls-policy-order.ts';

/** Index of policies by suffixes of their names. Policies must be added from last to first. */
export class LaterPolicies<T extends Named> {
  readonly #byTail = new Map<string, { readonly entry: T; readonly place: number }[]>();
  #forAll: T | null = null;
  #count = 0;

  add(entry: T): void {
    const place = this.#count++;
    if (entry.names.length === 0) this.#forAll = entry;
    for (const name of entry.names) pushTo(this.#byTail, name.slice(name.lastIndexOf('*') + 1), { entry, place });
  }

  /** Returns the first policy that covers all given names. Returns `null` if there is none. */
  firstWith(names: readonly string[]): T | null {
    const [name] = names;
    if (name === undefined) return this.#forAll;
    let first: T | null = null;
    let latest = -1;
    for (const tail of tailsOf(name)) {
      const found = this.#byTail.get(tail)?.findLast(({ entry }) => coversAll(entry.names, names));
      if (found === undefined || found.place < latest) continue;
      first = found.entry;
      latest = found.place;
    }
    return first ?? this.#forAll;
  }
}

/**
 * Yields the index keys of the policies that can cover a name. The keys represent the name itself, a wildcard followed by each suffix that
 * starts with a dot, and a bare wildcard.
 */
function* tailsOf(name: string): Generator<string, void, void> {
  yield name.slice(name.lastIndexOf('*') + 1);
  for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) yield name.slice(at);
  yield '';
}
