/** Possible outcomes of a request for different assumptions about unknown request properties. */
import type { Json } from '@sluice/base';
import { commonOutcome, isAlike } from '../explain/common-outcome.ts';
import type { Assumption, Explanation, Outcome } from '../explain/types.ts';
import { hashAt } from './traversed.ts';

/**
 * Returns the outcomes. Each key consists of the facts, verdicts, and options of the matchers and handlers that determined the outcome.
 * Keys are independent of configuration paths. Returns `null` if some outcomes are unknown. Evaluation paths that differ only in the
 * selected upstream share one outcome.
 */
export function outcomesByAssumption(explanation: Explanation, document: Json): Map<string, Outcome> | null {
  const { paths, truncated, more_paths: more } = explanation;
  if (truncated !== null || more) return null;
  const outcomes = new Map<string, Outcome>();
  for (const { assumed, outcome } of paths) {
    const key = JSON.stringify(
      assumed
        .filter(({ upstream }) => upstream === undefined)
        .map((each) => keyOf(each, document))
        .toSorted(),
    );
    const known = outcomes.get(key);
    if (known !== undefined && !isAlike(known, outcome)) return null;
    outcomes.set(key, known === undefined ? outcome : commonOutcome([known, outcome], []));
  }
  return outcomes;
}

function keyOf({ fact, verdict, path }: Assumption, document: Json): string {
  return `${fact} ${verdict} ${hashAt(document, path)}`;
}
