/**
 * Comparison of recorded and generated requests before and after a change, from the `behavior` property of a dry run. The types are
 * duplicated from http-analysis, because the page must not import packages that require Node.js.
 */
import { count } from './format.ts';
import type { Json } from './json.ts';

/** Requests with the same differences, handled by the same routes. */
export interface BehaviorGroup {
  readonly summary: string;
  readonly count: number;
  /** Number of recorded requests, not including generated requests. */
  readonly recorded: number;
  readonly hosts: readonly string[];
  readonly more_hosts: number;
  readonly route_before: string | null;
  readonly route_after: string | null;
  readonly examples: readonly Example[];
}

/** An example request of a group, with its results before and after the change. */
export interface Example {
  readonly request: { readonly method: string; readonly url: string };
  readonly before: Result;
  readonly after: Result;
  readonly differences: readonly Difference[];
}

interface Result {
  readonly status: number;
  readonly upstream: string | null;
}

interface Difference {
  /** Compared aspect of the result, such as `status` or `upstream_request`. */
  readonly aspect: string;
  /** Name within the aspect, such as a header field name. Empty for most aspects. */
  readonly name: string;
  /** `null` if absent. */
  readonly before: Json;
  readonly after: Json;
}

/** Requests that could not be compared, grouped by reason. */
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
  /** Number of requests that were not compared because of the time limit. */
  readonly not_compared: number;
  readonly groups: readonly BehaviorGroup[];
  readonly more_groups: number;
  readonly undecided_because: readonly Undecided[];
}

/** Summarizes the comparison in one sentence. If nothing was compared, the sentence does not claim that the behavior is the same. */
export function headlineOf({ recorded, generated, different, undecided, groups }: BehaviorReport): string {
  if (recorded + generated === 0)
    return groups.length > 0 ? 'Requests would be handled differently' : 'No requests compared';
  const doubt = undecided === 0 ? '' : `; ${undecided} undecided`;
  if (different === 0) return `All compared requests are handled the same way${doubt}`;
  return `${count(different, 'compared request')} would be handled differently`;
}

/** Returns the number of compared requests as text. Empty if there are none. */
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
  const rest = left > 0 ? `, ${left} not compared because of the time limit` : '';
  return `${recorded} recorded and ${generated} generated requests: ${parts.join(', ')}${rest}.`;
}

/** Effect of a change: a value before and after it. `label` names the value, and is empty for the result itself. */
interface Effect {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Returns the results of an example before and after the change, such as `200 from 10.0.0.1:80`. If they are equal, returns the first
 * difference in another aspect.
 */
export function effectOf({ before, after, differences: [first] }: Example): Effect {
  const results = { label: '', before: resultText(before), after: resultText(after) };
  if (results.before !== results.after || first === undefined) return results;
  const { aspect, name } = first;
  const label = `${aspect.replaceAll('_', ' ')}${name === '' ? '' : ` ${name}`}`;
  return { label, before: valueText(first.before), after: valueText(first.after) };
}

function resultText({ status, upstream }: Result): string {
  return `${status === 0 ? 'no response' : status}${upstream === null ? '' : ` from ${upstream}`}`;
}

/** Maximum length of a displayed value. */
const maxLength = 200;

function valueText(value: Json): string {
  if (value === null) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Returns the hosts of a group as text. Empty if there are none. */
export function hostsText({ hosts, more_hosts: more }: Pick<BehaviorGroup, 'hosts' | 'more_hosts'>): string {
  return `${hosts.join(', ')}${more > 0 ? ` and ${count(more, 'other host')}` : ''}`;
}

/** Response time percentiles in milliseconds. */
interface Latency {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** Comparison of both configurations' responses to replayed requests, from the `shadow` property of a dry run. */
export interface ShadowReport {
  readonly recorded: number;
  readonly live: number;
  readonly same: number;
  readonly different: number;
  /** Number of requests whose responses differed in some replays, but not in all. */
  readonly unsteady: number;
  readonly not_replayed: number;
  readonly groups: readonly BehaviorGroup[];
  readonly more_groups: number;
  readonly left_out: readonly Undecided[];
  readonly bypassed: readonly string[];
  readonly noise: readonly { readonly part: string; readonly count: number }[];
  readonly latency_ms: { readonly before: Latency; readonly after: Latency };
}

/** Summarizes a replay in one sentence. */
export function shadowHeadlineOf({ recorded, live, groups, different }: ShadowReport): string {
  if (recorded + live === 0) return 'No requests were replayed';
  if (groups.length === 0) return 'All replayed requests got the same responses';
  return different === 0
    ? 'Replayed requests got the same responses, except for intermittent differences'
    : `${count(different, 'replayed request')} got different responses`;
}

/** Returns the number of replayed requests and the response times as text. */
export function shadowTotalsOf(report: ShadowReport): string {
  const { recorded, live, same, different, unsteady, not_replayed: left } = report;
  const { before, after } = report.latency_ms;
  const times = (['p50', 'p90', 'p99'] as const).map((name) => `${name} ${before[name]} ms → ${after[name]} ms`);
  const rest = left > 0 ? `, ${left} not replayed because of the time limit` : '';
  return `${recorded} recorded and ${live} live requests: ${same} the same, ${different} different, ${unsteady} intermittently different${rest}. Latency: ${times.join(', ')}.`;
}
