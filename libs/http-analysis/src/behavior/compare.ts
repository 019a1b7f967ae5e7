/** Compares how two configurations handle requests. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Json } from '@sluice/base';
import type { Compared, Explainer } from '../explain/explainer.ts';
import type { ExplainRequest, Explanation } from '../explain/types.ts';
import { outcomeDifferences } from './differences.ts';
import { Groups } from './groups.ts';
import { isSameWalk, traversedDifferences } from './traversed.ts';
import type { BehaviorReport, ComparedRequest, Difference, Undecided } from './types.ts';

/** Result for one request. */
export type BehaviorVerdict =
  | { readonly kind: 'same' }
  | { readonly kind: 'different'; readonly differences: readonly Difference[] }
  | { readonly kind: 'undecided'; readonly reason: string };

/** Explanations of one request with both configurations, and the result. `after` is `null` if its server is unknown. */
export interface ComparedOne {
  readonly before: Explanation;
  readonly after: Explanation | null;
  readonly verdict: BehaviorVerdict;
}

/** Number of requests between two turns of the event loop. */
const batch = 16;

/**
 * Explains each request with both configurations, and groups those that are handled differently. After `milliseconds`, no more requests are
 * compared.
 */
export async function compareBehavior(
  explainer: Explainer,
  requests: readonly ComparedRequest[],
  compared: Compared,
  milliseconds: number,
): Promise<BehaviorReport> {
  const startedAt = performance.now();
  const groups = new Groups();
  const reasons = new Map<string, Undecided>();
  const counts = { same: 0, different: 0, undecided: 0 };
  let done = 0;
  for (const each of requests) {
    if (performance.now() - startedAt > milliseconds) break;
    if (done++ % batch === 0) await nextTurn();
    const { before, after, verdict } = await compareRequest(explainer, each.request, compared);
    counts[verdict.kind]++;
    if (verdict.kind === 'different' && after !== null) groups.add(each, [before, after], verdict.differences);
    if (verdict.kind === 'undecided') {
      const { method, url } = before.request;
      const { count = 0, example = { method, url } } = reasons.get(verdict.reason) ?? {};
      reasons.set(verdict.reason, { reason: verdict.reason, count: count + 1, example });
    }
  }
  const recorded = requests.filter(({ source }) => source === 'recorded').length;
  const { groups: found, more } = groups.report(recorded);
  return {
    recorded,
    generated: requests.length - recorded,
    ...counts,
    not_compared: requests.length - done,
    groups: found,
    more_groups: more,
    undecided_because: [...reasons.values()].toSorted((a, b) => b.count - a.count),
    ms: Math.round(performance.now() - startedAt),
  };
}

/** Returns the report for a change that adds or removes the whole `http` app, or for configurations without it. */
export function emptyReport(change: 'neither' | 'added' | 'removed'): BehaviorReport {
  const summary = { neither: '', added: 'the http app is added', removed: 'the http app is removed' }[change];
  const none = { hosts: [], more_hosts: 0, path_prefix: '', route_before: null, route_after: null };
  return {
    recorded: 0,
    generated: 0,
    same: 0,
    different: summary === '' ? 0 : 1,
    undecided: 0,
    not_compared: 0,
    groups: summary === '' ? [] : [{ summary, count: 0, recorded: 0, ...none, differences: [], examples: [] }],
    more_groups: 0,
    undecided_because: [],
    ms: 0,
  };
}

/** Explains a request with both configurations. */
export async function compareRequest(
  explainer: Explainer,
  request: ExplainRequest,
  compared: Compared,
): Promise<ComparedOne> {
  const documents = { before: compared.before.document, after: compared.after.document };
  const before = await explainer.explain(request, compared.before);
  const after = await explainer.explainInstead(request, compared);
  return { before, after, verdict: after === null ? unknownServer : verdictOf(before, after, documents) };
}

const unknownServer: BehaviorVerdict = { kind: 'undecided', reason: 'several servers could receive the request' };

function verdictOf(
  before: Explanation,
  after: Explanation,
  documents: { readonly before: Json; readonly after: Json },
): BehaviorVerdict {
  const traversed = traversedDifferences(before, after, documents);
  const reason = reasonOf(before) ?? reasonOf(after);
  if (reason === null) {
    const { differences, unknown } = outcomeDifferences(before.outcome, after.outcome);
    const all = [...differences, ...traversed];
    if (all.length > 0) return { kind: 'different', differences: all };
    if (unknown.length === 0 || isSameWalk(before, after, documents)) return { kind: 'same' };
    return { kind: 'undecided', reason: `unknown value: ${unknown.join(', ')}` };
  }
  if (traversed.length > 0) return { kind: 'different', differences: traversed };
  return isSameWalk(before, after, documents) ? { kind: 'same' } : { kind: 'undecided', reason };
}

/** Returns why the outcome of a request is unknown; `null` if it is known. */
function reasonOf({ outcome, unknown, truncated }: Explanation): string | null {
  if (truncated !== null) return `the explanation exceeds its limit of ${truncated}`;
  if (unknown.length > 0) return `it depends on: ${unknown.join(', ')}`;
  if (outcome.kind === 'opaque') return `the effect of ${outcome.handler_id ?? 'a module'} is unknown`;
  if (outcome.kind === 'unknown') return `it depends on: ${outcome.depends_on.join(', ') || 'unknown facts'}`;
  if (outcome.kind === 'outward') return `it depends on the response of ${outcome.handler_id ?? 'another server'}`;
  return null;
}
