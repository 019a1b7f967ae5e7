/** What all paths of an explanation have in common. */
import { commonOutcome, isAlike } from './common-outcome.ts';
import type { ExplainedPath, Explanation, Outcome } from './types.ts';

/** The outcome of a request of which nothing is known. */
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

/** The outcome that all paths agree on, or what would decide between them. `partial`: there may be others than these. */
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
  // All ways end alike, but for the upstream.
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
