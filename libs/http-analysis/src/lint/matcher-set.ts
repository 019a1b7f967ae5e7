/** Represents matcher sets as sets of requests. Determines whether one set includes another, and whether two sets are disjoint. */
import { isArray, isObject, jsonEqual, type Json } from '@sluice/base';
import type { Aspect, Domain, MatcherFacts } from '@sluice/http-app';

export type KnownMatchers = ReadonlyMap<string, MatcherFacts>;

/** A matcher that can only be compared by its options. */
interface Plain {
  readonly name: string;
  readonly node: Json;
}

/** Position of a matcher set in an index. If set A covers set B, at least one key of A is among the `seeks` of B. */
export interface Indexed {
  readonly keys: readonly string[];
  readonly seeks: readonly string[];
}

/** Index key of sets without this criterion. */
const any = '*any';
const unindexed: Indexed = { keys: [any], seeks: [any] };

function indexed(domain: Domain | undefined): Indexed {
  return domain === undefined ? unindexed : { keys: domain.keys, seeks: [...domain.seeks, any] };
}

export class RequestSet {
  /** Domains of the supported matchers, keyed by matcher name. */
  readonly domains: ReadonlyMap<string, Domain>;
  /**
   * Request aspects that the set depends on. If a handler changes one of these aspects, the set no longer applies. `null` means that the
   * set may depend on any aspect.
   */
  readonly reads: ReadonlySet<Aspect> | null;
  /** Request aspects that the known facts depend on. */
  readonly sureReads: ReadonlySet<Aspect>;
  /** Sets that are disjoint from this set. */
  readonly without: readonly RequestSet[];
  /** Sets that include all requests in this set. */
  readonly implied: readonly RequestSet[];
  /** True if the matcher matches no request. */
  readonly isEmpty: boolean;
  /** True if the matchers in the set are mutually exclusive, so that no request matches. */
  readonly contradictsItself: boolean;
  /** Names of the aspects that the set depends on. Sets with the same aspects have equal signatures. */
  readonly signature: string;
  readonly #plain: readonly Plain[];
  #hosts: Indexed | null = null;
  #paths: Indexed | null = null;

  constructor(
    parts: Pick<RequestSet, 'domains' | 'reads' | 'sureReads' | 'without' | 'implied'>,
    plain: readonly Plain[],
  ) {
    this.domains = parts.domains;
    this.reads = parts.reads;
    this.sureReads = parts.sureReads;
    this.without = parts.without;
    this.implied = parts.implied;
    this.signature = parts.reads === null ? '' : [...parts.reads].sort().join(' ');
    this.#plain = plain;
    this.isEmpty =
      [...parts.domains.values()].some((domain) => domain.isEmpty) || parts.without.some((set) => set.isAll);
    this.contradictsItself =
      parts.without.some((set) => set.covers(this)) || parts.implied.some((set) => set.excludes(this));
  }

  /** Position in an index by host. Computed on first use. */
  get hosts(): Indexed {
    return (this.#hosts ??= indexed(this.domains.get('host')));
  }

  get paths(): Indexed {
    return (this.#paths ??= indexed(this.domains.get('path')));
  }

  /** True if all dependencies are known. Only such a set can cover other sets. */
  get isKnown(): boolean {
    return this.reads !== null;
  }

  get isAll(): boolean {
    return this.domains.size === 0 && this.#plain.length === 0;
  }

  /** Reports whether this set certainly includes all requests in the other set. */
  covers(other: RequestSet): boolean {
    if (!this.isKnown) return false;
    for (const [name, domain] of this.domains) {
      const theirs = other.domains.get(name);
      if (theirs === undefined || !domain.covers(theirs)) return false;
    }
    return this.#plain.every(({ name, node }) =>
      other.#plain.some((each) => each.name === name && jsonEqual(each.node, node)),
    );
  }

  /** Reports whether the two sets are certainly disjoint. */
  excludes(other: RequestSet): boolean {
    for (const [name, domain] of this.domains) {
      const theirs = other.domains.get(name);
      if (theirs !== undefined && domain.excludes(theirs)) return true;
    }
    return (
      this.without.some((set) => set.covers(other)) ||
      other.without.some((set) => set.covers(this)) ||
      this.implied.some((set) => set.excludes(other)) ||
      other.implied.some((set) => this.excludes(set))
    );
  }

  /** Reports whether the example request of another set is in this set. Returns `null` if this is uncertain. */
  matches(point: RequestSet): boolean | null {
    if (this.excludes(point)) return false;
    for (const [name, domain] of this.domains) {
      const theirs = point.domains.get(name);
      if (theirs === undefined || !domain.covers(theirs)) return null;
    }
    return this.#plain.every((each) => each.name === 'not' && this.#passesNot(each.node, point)) ? true : null;
  }

  /**
   * Reports whether a `not` matcher certainly matches a request. Each matcher set inside the `not` matcher must be supported and must
   * exclude the request.
   */
  #passesNot(node: Json, point: RequestSet): boolean {
    return isArray(node) && node.length === this.without.length && this.without.every((set) => set.excludes(point));
  }
}

/** Returns the request set for the matcher options of a route. `null` and `{}` match all requests. */
export function requestSet(node: Json, known: KnownMatchers): RequestSet {
  const domains = new Map<string, Domain>();
  const plain: Plain[] = [];
  const without: RequestSet[] = [];
  const implied: RequestSet[] = [];
  const sureReads = new Set<Aspect>();
  let reads: Set<Aspect> | null = new Set();
  for (const [name, options] of isObject(node) ? Object.entries(node) : []) {
    if (name === '@id') continue;
    const inner = name === 'not' && isArray(options) ? options.map((each) => requestSet(each, known)) : null;
    for (const each of inner ?? []) {
      if (!each.isKnown) continue;
      without.push(each);
      for (const aspect of each.sureReads) sureReads.add(aspect);
    }
    const facts = known.get(name);
    const domain = facts?.domain?.(options) ?? null;
    if (domain === null) plain.push({ name, node: options });
    else {
      domains.set(name, domain);
      for (const aspect of facts?.reads ?? []) sureReads.add(aspect);
    }
    const also = facts?.implies?.(options) ?? null;
    if (also !== null) {
      const set = requestSet(also, known);
      implied.push(set);
      for (const aspect of set.sureReads) sureReads.add(aspect);
    }
    const read = inner === null ? readsOf(facts, domain, options) : readsOfAll(inner);
    for (const aspect of read ?? []) sureReads.add(aspect);
    if (read === null || reads === null) reads = null;
    else for (const aspect of read) reads.add(aspect);
  }
  return new RequestSet({ domains, reads, sureReads, without, implied }, plain);
}

/** Returns the request aspects that a matcher depends on. A matcher with placeholders has no domain and may depend on any aspect. */
function readsOf(facts: MatcherFacts | undefined, domain: Domain | null, options: Json): Iterable<Aspect> | null {
  const reads = facts?.reads;
  if (reads === undefined) return null;
  return domain !== null || !hasPlaceholder(options) ? reads : null;
}

function readsOfAll(sets: readonly RequestSet[]): Iterable<Aspect> | null {
  const all = new Set<Aspect>();
  for (const { reads } of sets) {
    if (reads === null) return null;
    for (const aspect of reads) all.add(aspect);
  }
  return all;
}

function hasPlaceholder(node: Json): boolean {
  if (typeof node === 'string') return node.includes('{');
  if (isArray(node)) return node.some(hasPlaceholder);
  return isObject(node) && Object.entries(node).some(([key, value]) => key.includes('{') || hasPlaceholder(value));
}
