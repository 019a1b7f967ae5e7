/** Summarizes the results of all paths in an explanation. */
import { commonOutcome, isAlike } from './common-outcome.ts';
import type { ExplainedPath, Explanation, Outcome } from './types.ts';

/** Outcome of a request about which nothing is known. */
export const undecided: Outcome = {
  kind: 'unknown',
  status: 0,
  headers: {},
  body: null,
  size: 0,
  route: null,
  routes: [],
  handler: null,
  handler_id: null,
  upstream: null,
  sends: null,
  error: null,
  depends_on: [],
};

/**
 * Returns the common outcome of all evaluation paths. If there is none, returns the facts that determine which path applies. `partial` is
 * true if there may be more paths.
 */
export function summaryOf(paths: readonly ExplainedPath[], partial: boolean): Pick<Explanation, 'outcome' | 'unknown'> {
  const [first, ...others] = paths.map(({ outcome }) => outcome);
  if (first === undefined) return { outcome: undecided, unknown: [] };
  const facts = factsOf(paths, () => true);
  if (first.kind === 'unknown' && others.length === 0)
    return { outcome: first, unknown: [...new Set([...facts, ...first.depends_on])] };
  const agreed = !partial && others.every((outcome) => isAlike(outcome, first));
  if (!agreed) return { outcome: others.length === 0 ? first : undecided, unknown: facts };
  if (others.length === 0) return { outcome: first, unknown: [] };
  const outcome = commonOutcome([first, ...others], facts);
  // All evaluation paths have the same result, except for the selected upstream.
  const unknown = outcome.upstream?.known === 'unknown' ? factsOf(paths, ({ upstream }) => upstream !== undefined) : [];
  return { outcome, unknown };
}

function factsOf(
  paths: readonly ExplainedPath[],
  counts: (assumed: ExplainedPath['assumed'][number]) => boolean,
): string[] {
  const facts = paths.flatMap(({ assumed }) => assumed.filter(counts).flatMap(({ fact }) => fact.split(', ')));
  return [...new Set(facts)];
}
