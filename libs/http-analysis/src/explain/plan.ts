/** Finds recorded requests that another configuration would route differently. */
import { jsonEqual, parseWhere, type Json } from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import type { Compared, Explainer } from './explainer.ts';
import type { Turns } from './turns.ts';
import type { ExplainRequest, Outcome } from './types.ts';

/** A request that would be routed differently. */
export interface Moved {
  readonly request: ExplainRequest;
  readonly before: Outcome;
  readonly after: Outcome;
  /** Properties that differ. */
  readonly what: readonly string[];
}

/** Result of comparing the routing of requests. */
export interface Plan {
  /** Number of requests that were compared within the time limit. */
  readonly compared: number;
  /** Number of requests whose route is unknown in either configuration. */
  readonly unknown: number;
  readonly elsewhere: readonly Moved[];
}

/** Limits of a routing comparison. */
export interface PlanBounds {
  /** Time limit in milliseconds. After this time, no more requests are compared. */
  readonly milliseconds: number;
  /** Interleaves the comparison with other work while a client waits for it. `null` for a comparison that is part of a change. */
  readonly turns: Turns | null;
}

/** Compares how two configurations route requests. */
export async function planRequests(
  explainer: Explainer,
  requests: readonly ExplainRequest[],
  compared: Compared,
  { milliseconds, turns }: PlanBounds,
): Promise<Plan> {
  const end = performance.now() + milliseconds;
  const { before, after } = compared;
  const elsewhere: Moved[] = [];
  let unknown = 0;
  let count = 0;
  for (const request of requests) {
    if (performance.now() > end) break;
    await turns?.next();
    count++;
    const now = await explainer.explain(request, before);
    const then = await explainer.explainInstead(request, compared);
    if (now.outcome.kind === 'unknown' || then === null || then.outcome.kind === 'unknown') unknown++;
    else {
      const what = differences(now.outcome, then.outcome, before.document, after.document);
      if (what.length > 0) elsewhere.push({ request, before: now.outcome, after: then.outcome, what });
    }
  }
  return { compared: count, unknown, elsewhere };
}

/**
 * Returns the routing differences. Compares handlers by their options rather than by their position, because inserting a route moves other
 * routes.
 */
function differences(before: Outcome, after: Outcome, from: Json, to: Json): string[] {
  const what: string[] = [];
  if (before.kind !== after.kind) what.push('kind');
  if (!jsonEqual(optionsOf(before, from), optionsOf(after, to))) what.push('route');
  if (before.status !== after.status) what.push('status');
  if (before.upstream?.address !== after.upstream?.address) what.push('upstream');
  return what;
}

function optionsOf({ handler }: Outcome, document: Json): Json {
  const path = handler === null ? null : parseWhere(handler);
  return path === null ? null : (getAt(document, path) ?? null);
}
