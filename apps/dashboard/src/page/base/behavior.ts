/** Recorded and generated requests, compared before and after a change: `behavior` of a dry run. */
import { count } from './format.ts';

/** Requests with the same differences at the same routes. */
export interface BehaviorGroup {
  readonly summary: string;
  readonly count: number;
  /** Number of requests that were recorded, not generated. */
  readonly recorded: number;
  readonly hosts: readonly string[];
  /** Number of hosts that are not listed. */
  readonly more_hosts: number;
  readonly route_before: string | null;
  readonly route_after: string | null;
  readonly examples: readonly Example[];
}

/** A request of a group, and its results. */
export interface Example {
  readonly request: { readonly method: string; readonly url: string };
  readonly before: Result;
  readonly after: Result;
}

export interface Result {
  readonly status: number;
  readonly upstream: string | null;
}

/** Requests that could not be compared for the same reason. */
export interface Undecided {
  readonly reason: string;
  readonly count: number;
  readonly example: { readonly method: string; readonly url: string };
}

export interface BehaviorReport {
  readonly recorded: number;
  readonly generated: number;
  readonly same: number;
  readonly different: number;
  readonly undecided: number;
  /** Number of requests that were not compared because time ran out. */
  readonly not_compared: number;
  readonly groups: readonly BehaviorGroup[];
  /** Number of groups that are not listed. */
  readonly more_groups: number;
  readonly undecided_because: readonly Undecided[];
}

/** Returns the result in one sentence. Only compared requests without differences count as handled the same. */
export function headlineOf({ recorded, generated, different, groups }: BehaviorReport): string {
  if (recorded + generated === 0)
    return groups.length > 0 ? 'Requests would be handled differently' : 'No requests were compared';
  if (different === 0) return 'No compared request is handled differently';
  return `${count(different, 'compared request')} would be handled differently`;
}

/** Returns the numbers of compared requests; empty if there are none. */
export function totalsOf({
  recorded,
  generated,
  same,
  different,
  undecided,
  not_compared: left,
}: BehaviorReport): string {
  if (recorded + generated === 0) return '';
  const parts = [`${same} the same`, `${different} different`, `${undecided} undecided`];
  const rest = left > 0 ? `, ${left} not compared because time ran out` : '';
  return `${recorded} recorded and ${generated} generated requests: ${parts.join(', ')}${rest}.`;
}

/** Formats a result: `200 from 10.0.0.1:80`. */
export function resultText({ status, upstream }: Result): string {
  return `${status === 0 ? 'no response' : status}${upstream === null ? '' : ` from ${upstream}`}`;
}

/** Returns the hosts of a group; empty if there are none. */
export function hostsText({ hosts, more_hosts: more }: Pick<BehaviorGroup, 'hosts' | 'more_hosts'>): string {
  return `${hosts.join(', ')}${more > 0 ? ` and ${count(more, 'other host')}` : ''}`;
}
