/** Groups requests by the cause of their differences. */
import type { Json, JsonObject } from '@sluice/base';
import { predicateOf } from './summary.ts';
import { maxExamples, maxGroups, maxHosts, type BehaviorGroup, type Difference } from './types.ts';

/** Result of handling a request with one of the two configurations. */
export interface Side {
  readonly route: string | null;
  /** Result in the form that examples show. */
  readonly shown: JsonObject;
}

/** A request that the two configurations handle differently. */
export interface GroupedRequest {
  readonly method: string;
  /** Without secrets. */
  readonly url: string;
  readonly source: 'recorded' | 'live' | 'generated';
}

interface Group {
  readonly differences: readonly Difference[];
  readonly routes: readonly [string | null, string | null];
  /** Hosts and longest common path prefix of the group. If the group has recorded requests, only these requests count. */
  readonly hosts: Set<string>;
  readonly examples: JsonObject[];
  prefix: string | null;
  count: number;
  recorded: number;
}

/** Collects the requests that the two configurations handle differently. */
export class Groups {
  readonly #groups = new Map<string, Group>();
  readonly #noun: string;
  readonly #suffix: string;

  /** Summaries begin with `… of … <noun> requests`, where `noun` is the given word, and end with `suffix`. */
  constructor(noun = 'recorded', suffix = '') {
    this.#noun = noun;
    this.#suffix = suffix;
  }

  add(
    { method, url: text, source }: GroupedRequest,
    [before, after]: readonly [Side, Side],
    differences: readonly Difference[],
  ): void {
    const url = URL.parse(text);
    const general = differences.map((each) => generalized(each, url));
    const routes = [before.route, after.route] as const;
    const key = JSON.stringify([routes, general]);
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { differences: general, routes, hosts: new Set(), examples: [], prefix: null, count: 0, recorded: 0 };
      this.#groups.set(key, group);
    }
    group.count++;
    // Recorded requests take precedence over generated requests.
    const isReal = source !== 'generated';
    if (isReal) group.recorded++;
    if (isReal || group.recorded === 0) {
      if (url !== null) group.hosts.add(url.host);
      const path = url?.pathname ?? '/';
      group.prefix = group.prefix === null ? path : commonPrefix(group.prefix, path);
    }
    if (group.examples.length < maxExamples)
      group.examples.push({
        request: { method, url: text },
        source,
        before: before.shown,
        after: after.shown,
        differences: differences as unknown as Json,
      });
  }

  /** Returns the groups, largest first, and the number of omitted groups. `recorded` is the total number of recorded requests. */
  report(recorded: number): { readonly groups: readonly BehaviorGroup[]; readonly more: number } {
    const all = [...this.#groups.values()].toSorted((a, b) => b.recorded - a.recorded || b.count - a.count);
    return {
      groups: all.slice(0, maxGroups).map((group) => this.#finished(group, recorded)),
      more: Math.max(0, all.length - maxGroups),
    };
  }

  #finished(group: Group, recorded: number): BehaviorGroup {
    const { differences, routes, examples, count } = group;
    const hosts = [...group.hosts];
    const prefix = group.prefix ?? '/';
    const isOne = (group.recorded || count) === 1;
    const place = `${hosts.slice(0, 1).join('')}${prefix}${isOne ? '' : '*'}`;
    const others = hosts.length > 1 ? ` and ${hosts.length - 1} other host${hosts.length > 2 ? 's' : ''}` : '';
    const number =
      group.recorded > 0
        ? `${group.recorded} of ${recorded} ${this.#noun} requests`
        : `${count} generated request${count > 1 ? 's' : ''}`;
    return {
      summary: `${number} to ${place}${others} ${predicateOf(differences)}${this.#suffix}`,
      count,
      recorded: group.recorded,
      hosts: hosts.slice(0, maxHosts),
      more_hosts: Math.max(0, hosts.length - maxHosts),
      path_prefix: prefix,
      route_before: routes[0],
      route_after: routes[1],
      differences,
      examples,
    };
  }
}

/** Replaces parts of the URL in values with placeholders, so that requests with the same cause have equal differences. */
function generalized({ aspect, name, before, after }: Difference, url: URL | null): Difference {
  return { aspect, name, before: general(before, url), after: general(after, url) };
}

function general(value: Json, url: URL | null): Json {
  if (Array.isArray(value)) return value.map((each) => general(each as Json, url));
  if (typeof value !== 'string' || url === null) return value;
  let text = value;
  if (url.search.length > 1) text = text.replaceAll(url.search, '{query}');
  if (url.pathname.length > 1) text = text.replaceAll(url.pathname, '{path}');
  return text.replaceAll(url.hostname, '{host}');
}

function commonPrefix(a: string, b: string): string {
  let end = 0;
  while (end < a.length && end < b.length && a[end] === b[end]) end++;
  return a.slice(0, end);
}
