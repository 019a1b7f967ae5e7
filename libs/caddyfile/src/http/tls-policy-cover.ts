/** Finds the automation policy that names would get if the one before it were gone. */
import { pushTo } from '../collections.ts';
import { coversAll, type Named } from './tls-policy-order.ts';

/** Policies by the ends of their names; the last is added first. */
export class LaterPolicies<T extends Named> {
  readonly #byTail = new Map<string, { readonly entry: T; readonly place: number }[]>();
  #forAll: T | null = null;
  #count = 0;

  add(entry: T): void {
    const place = this.#count++;
    if (entry.names.length === 0) this.#forAll = entry;
    for (const name of entry.names) pushTo(this.#byTail, name.slice(name.lastIndexOf('*') + 1), { entry, place });
  }

  /** The first that has all these names; `null` if none has. */
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

/** What covers a name ends with the name, or with what follows one of its dots after a wildcard, or is a wildcard. */
function* tailsOf(name: string): Generator<string, void, void> {
  yield name.slice(name.lastIndexOf('*') + 1);
  for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) yield name.slice(at);
  yield '';
}
