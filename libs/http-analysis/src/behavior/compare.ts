/** Compares how two configurations handle requests. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isSluiceError, type Json } from '@sluice/base';
import { redactQuery } from '@sluice/http-app';
import type { Compared, Explainer } from '../explain/explainer.ts';
import type { ExplainRequest, Explanation, Outcome } from '../explain/types.ts';
import { outcomesByAssumption } from './assumptions.ts';
import { ConnectionComparison } from './connection-differences.ts';
import { outcomeDifferences } from './differences.ts';
import { Groups, type Side } from './groups.ts';
import { isSameWalk, traversedDifferences } from './traversed.ts';
import type { RequestsToCompare } from './compared-requests.ts';
import type { BehaviorReport, Difference, Undecided } from './types.ts';

/** Result of comparing how two configurations handle one request. */
export type BehaviorVerdict =
  | { readonly kind: 'same' }
  | { readonly kind: 'different'; readonly differences: readonly Difference[] }
  | { readonly kind: 'undecided'; readonly reason: string };

/**
 * Explanations of one request with both configurations, and the result of the comparison. `after` is `null` if the server that handles the
 * request cannot be determined.
 */
export interface ComparedOne {
  readonly before: Explanation;
  readonly after: Explanation | null;
  readonly verdict: BehaviorVerdict;
}

/** Number of requests to compare in each event loop turn. */
const batch = 16;

/**
 * Explains each request with both configurations, and groups the requests that are handled differently. Stops after `milliseconds` and
 * skips the remaining requests. `unaffected` is the number of recorded requests that the change cannot affect.
 */
export async function compareBehavior(
  explainer: Explainer,
  { requests, unaffected }: RequestsToCompare,
  compared: Compared,
  milliseconds: number,
): Promise<BehaviorReport> {
  const startedAt = performance.now();
  const groups = new Groups();
  const connections = new ConnectionComparison();
  const reasons = new Map<string, Undecided>();
  const counts = { same: unaffected, different: 0, undecided: 0 };
  let done = 0;
  for (const each of requests) {
    if (performance.now() - startedAt > milliseconds) break;
    if (done++ % batch === 0) await nextTurn();
    const undecided = (reason: string): void => {
      const { method = 'GET', url } = each.request;
      const { count = 0, example = { method, url: redactQuery(url) } } = reasons.get(reason) ?? {};
      reasons.set(reason, { reason, count: count + 1, example });
    };
    try {
      const { before, after, verdict } = await compareRequest(explainer, each.request, compared, connections);
      counts[verdict.kind]++;
      if (verdict.kind === 'different' && after !== null)
        groups.add(
          { method: before.request.method, url: before.request.url, source: each.source },
          [sideOf(before), sideOf(after)],
          verdict.differences,
        );
      if (verdict.kind === 'undecided') undecided(verdict.reason);
    } catch (error) {
      // An imported request may be invalid or refer to an unknown server. Skip such a request.
      if (!isSluiceError(error)) throw error;
      counts.undecided++;
      undecided(error.message);
    }
  }
  const generated = requests.filter(({ source }) => source === 'generated').length;
  const recorded = requests.length - generated + unaffected;
  const { groups: found, more } = groups.report(recorded);
  return {
    recorded,
    generated,
    ...counts,
    not_compared: requests.length - done,
    groups: found,
    more_groups: more,
    undecided_because: [...reasons.values()].toSorted((a, b) => b.count - a.count),
    ms: Math.round(performance.now() - startedAt),
  };
}

function sideOf({ outcome: { kind, status, route, upstream } }: Explanation): Side {
  return { route, shown: { kind, status, route, upstream: upstream?.address ?? null } };
}

/** Returns the report for a change that adds or removes the entire `http` app, or for configurations without this app. */
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

/** Explains a request with both configurations and compares the results. */
export async function compareRequest(
  explainer: Explainer,
  request: ExplainRequest,
  compared: Compared,
  connections = new ConnectionComparison(),
): Promise<ComparedOne> {
  const documents = { before: compared.before.document, after: compared.after.document };
  const before = await explainer.explain(request, compared.before);
  const after = await explainer.explainInstead(request, compared);
  if (after === null) return { before, after, verdict: unknownServer };
  const verdict = verdictOf(before, after, documents);
  const differences = connections.differences(
    request,
    { document: documents.before, server: before.request.server },
    { document: documents.after, server: after.request.server },
  );
  return { before, after, verdict: differences.length === 0 ? verdict : withDifferences(verdict, differences) };
}

function withDifferences(verdict: BehaviorVerdict, differences: readonly Difference[]): BehaviorVerdict {
  const others = verdict.kind === 'different' ? verdict.differences : [];
  return { kind: 'different', differences: [...differences, ...others] };
}

const unknownServer: BehaviorVerdict = { kind: 'undecided', reason: 'several servers could receive the request' };

type Documents = { readonly before: Json; readonly after: Json };

function verdictOf(before: Explanation, after: Explanation, documents: Documents): BehaviorVerdict {
  const traversed = traversedDifferences(before, after, documents);
  const reason = reasonOf(before) ?? reasonOf(after);
  const verdict =
    reason === null
      ? verdictOfOutcomes(before.outcome, after.outcome)
      : (verdictOfPairs(before, after, documents) ?? { kind: 'undecided', reason });
  if (verdict.kind === 'different') return { ...verdict, differences: [...verdict.differences, ...traversed] };
  if (traversed.length > 0) return { kind: 'different', differences: traversed };
  return verdict.kind === 'undecided' && isSameWalk(before, after, documents) ? { kind: 'same' } : verdict;
}

function verdictOfOutcomes(before: Outcome, after: Outcome): BehaviorVerdict {
  const { differences, unknown } = outcomeDifferences(before, after);
  if (differences.length > 0) return { kind: 'different', differences };
  return unknown.length === 0
    ? { kind: 'same' }
    : { kind: 'undecided', reason: `unknown value: ${unknown.join(', ')}` };
}

/**
 * Compares the outcomes for each combination of unknown request properties. Returns `null` if the matchers or handlers that determine the
 * outcome differ between the two configurations.
 */
function verdictOfPairs(before: Explanation, after: Explanation, documents: Documents): BehaviorVerdict | null {
  const [had, has] = [outcomesByAssumption(before, documents.before), outcomesByAssumption(after, documents.after)];
  if (had === null || has === null || had.size !== has.size) return null;
  const differences = new Map<string, Difference>();
  let undecided: BehaviorVerdict | null = null;
  for (const [key, was] of had) {
    const is = has.get(key);
    if (is === undefined) return null;
    const reason = reasonOfOutcome(was) ?? reasonOfOutcome(is);
    const verdict: BehaviorVerdict = reason === null ? verdictOfOutcomes(was, is) : { kind: 'undecided', reason };
    if (verdict.kind === 'undecided') undecided ??= verdict;
    if (verdict.kind === 'different')
      for (const each of verdict.differences) differences.set(JSON.stringify(each), each);
  }
  if (differences.size > 0) return { kind: 'different', differences: [...differences.values()] };
  return undecided ?? { kind: 'same' };
}

/** Returns the reason why an outcome is unknown. Returns `null` if the outcome is known, or if only the selected upstream is unknown. */
function reasonOf({ outcome, unknown, truncated }: Explanation): string | null {
  if (truncated !== null) return `the explanation exceeds its limit: ${truncated}`;
  if (unknown.length > 0 && outcome.upstream?.known !== 'unknown')
    return `the outcome depends on: ${unknown.join(', ')}`;
  return reasonOfOutcome(outcome);
}

function reasonOfOutcome(outcome: Outcome): string | null {
  if (outcome.kind === 'opaque') return `the effect of ${outcome.handler_id ?? 'a module'} is unknown`;
  if (outcome.kind === 'unknown')
    return `the outcome depends on: ${outcome.depends_on.join(', ') || 'unknown request properties'}`;
  if (outcome.kind === 'outward')
    return `the outcome depends on the response of ${outcome.handler_id ?? 'another server'}`;
  return null;
}
