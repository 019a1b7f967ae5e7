/** Merges automation policies with equal settings. */
import { itemAt } from '@sluice/base';
import { pushTo } from '../collections.ts';
import type { PolicyEntry } from './tls-policy-entry.ts';
import { coversAll } from './tls-policy-order.ts';
import { covers } from './tls-subjects.ts';

/**
 * Merges each policy with later policies that have equal settings, unless the merge would change which policy applies to a name. Removes
 * policies that are equal to the policy for all names.
 */
export function joinAlike(entries: readonly PolicyEntry[]): PolicyEntry[] {
  const list = new JoiningList(entries);
  const alike = new Map<string, number[]>();
  const groupOf = ({ settings, issuersGroup }: PolicyEntry): string => `${settings} ${issuersGroup}`;
  entries.forEach((entry, at) => pushTo(alike, groupOf(entry), at));
  entries.forEach((entry, at) => {
    for (const other of alike.get(groupOf(entry)) ?? []) {
      if (list.isGone(at)) break;
      if (other > at && !list.isGone(other) && entry.hasIssuersOf(itemAt(entries, other))) list.join(at, other);
    }
  });
  return list.left();
}

/** List of policies that supports merging later policies into earlier ones. */
class JoiningList {
  readonly #entries: readonly PolicyEntry[];
  readonly #gone = new Set<number>();
  /** Indexes of the policies that contain each name. */
  readonly #places = new Map<string, number[]>();
  /** Positions of wildcards. */
  readonly #wildcards: number[] = [];

  constructor(entries: readonly PolicyEntry[]) {
    this.#entries = entries;
    entries.forEach(({ names }, at) => {
      for (const name of names) pushTo(this.#places, name, at);
      if (names.some((name) => name.includes('*'))) this.#wildcards.push(at);
    });
  }

  isGone(at: number): boolean {
    return this.#gone.has(at);
  }

  left(): PolicyEntry[] {
    return this.#entries.filter((_, at) => !this.#gone.has(at));
  }

  /** Merges two equal policies, unless the merge would change which policy applies to a name. */
  join(at: number, other: number): void {
    const entry = itemAt(this.#entries, at);
    const { names } = itemAt(this.#entries, other);
    if (entry.hasSameNames(names)) {
      this.#gone.add(other);
    } else if (names.length === 0) {
      if (!this.#someBetween(at, other, (each) => coversAll(each.names, entry.names))) this.#gone.add(at);
    } else if (!names.some((name) => this.#isTaken(name, at, other))) {
      entry.addNames(names);
      this.#gone.add(other);
    }
  }

  /**
   * Reports whether a name must stay in its policy. This is the case if a policy between the two given policies contains the name or an
   * overlapping name. Two names overlap if one is a wildcard that covers the other.
   */
  #isTaken(name: string, at: number, other: number): boolean {
    const isBetween = (place: number): boolean => place > at && place < other && !this.#gone.has(place);
    const hasNameFor = (place: number): boolean =>
      isBetween(place) && this.#entries[place]?.names.some((each) => covers(each, name)) === true;
    if (this.#places.get(name)?.some(isBetween) === true || this.#wildcards.some(hasNameFor)) return true;
    return name.includes('*') && this.#someBetween(at, other, (each) => each.names.some((one) => covers(name, one)));
  }

  #someBetween(at: number, other: number, test: (each: PolicyEntry) => boolean): boolean {
    for (let place = at + 1; place < other; place++) {
      if (!this.#gone.has(place) && test(itemAt(this.#entries, place))) return true;
    }
    return false;
  }
}
