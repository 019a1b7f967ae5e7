/** Matcher sets as sets of requests: which surely holds another, and which surely have no request in common. */
import { isArray, isObject, jsonEqual, type Json } from '@sluice/base';
import type { Aspect, Domain, MatcherFacts } from '@sluice/http-app';

/** Facts of matchers by their names. */
export type KnownMatchers = ReadonlyMap<string, MatcherFacts>;

/** A matcher that is only known to be the same as one with the same options. */
interface Plain {
  readonly name: string;
  readonly node: Json;
}

/** Where a set stands in an index: a set that covers another has a key that the other one seeks. */
export interface Indexed {
  readonly keys: readonly string[];
  readonly seeks: readonly string[];
}

/** The key of sets that are not about it. */
const any = '*any';
const unindexed: Indexed = { keys: [any], seeks: [any] };

function indexed(domain: Domain | undefined): Indexed {
  return domain === undefined ? unindexed : { keys: domain.keys, seeks: [...domain.seeks, any] };
}

export class RequestSet {
  /** What is known of it by domains, by name of the matcher. */
  readonly domains: ReadonlyMap<string, Domain>;
  /** What it depends on, so that what changes that makes it stale; `null` where it may depend on anything. */
  readonly reads: ReadonlySet<Aspect> | null;
  /** What all that is known of it depends on. */
  readonly sureReads: ReadonlySet<Aspect>;
  /** Sets of which no request is in this one. */
  readonly without: readonly RequestSet[];
  /** Sets that hold every request of this one. */
  readonly implied: readonly RequestSet[];
  /** Whether no request is in it. */
  readonly isEmpty: boolean;
  /** Surely no request matches, because the matchers of the set exclude one another. */
  readonly contradictsItself: boolean;
  /** Names what it depends on; the same for all sets that depend on the same. */
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

  /** Where it stands in an index of hosts. Made when it is asked for. */
  get hosts(): Indexed {
    return (this.#hosts ??= indexed(this.domains.get('host')));
  }

  /** Where it stands in an index of paths. */
  get paths(): Indexed {
    return (this.#paths ??= indexed(this.domains.get('path')));
  }

  /** Whether all that it depends on is known, so that it can hold others. */
  get isKnown(): boolean {
    return this.reads !== null;
  }

  get isAll(): boolean {
    return this.domains.size === 0 && this.#plain.length === 0;
  }

  /** Surely all requests of the other set are in this one. */
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

  /** Surely no request is in both. */
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

  /** Reports whether the example request of a set matches; `null` if that is uncertain. */
  matches(point: RequestSet): boolean | null {
    if (this.excludes(point)) return false;
    for (const [name, domain] of this.domains) {
      const theirs = point.domains.get(name);
      if (theirs === undefined || !domain.covers(theirs)) return null;
    }
    return this.#plain.every((each) => each.name === 'not' && this.#passesNot(each.node, point)) ? true : null;
  }

  /** Reports whether a `not` certainly matches a request: each of its matcher sets is supported and excludes the request. */
  #passesNot(node: Json, point: RequestSet): boolean {
    return isArray(node) && node.length === this.without.length && this.without.every((set) => set.excludes(point));
  }
}

/** The set that the options of a route name; `null` and `{}` match everything. */
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

/** What a matcher depends on. With placeholders, which no domain has, that may be anything. */
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
