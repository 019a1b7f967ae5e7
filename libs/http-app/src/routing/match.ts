/**
 * Evaluates matcher sets. At least one set must match, and a set matches if all its matchers match. Returns a promise only if a matcher is
 * asynchronous.
 */
import type { Exchange } from '../exchange/exchange.ts';
import type { HttpMatcher } from '../handler.ts';

export type MatcherSet = readonly HttpMatcher[];

/** Reports whether any matcher set matches. Returns true if there are no sets. */
export function matchSets(exchange: Exchange, sets: readonly MatcherSet[]): boolean | Promise<boolean> {
  if (sets.length === 0) return true;
  let asked = 0;
  for (const set of sets) {
    asked++;
    const matched = matchSet(exchange, set);
    if (matched === true) return true;
    if (matched !== false) return matchLater(exchange, matched, sets.slice(asked));
  }
  return false;
}

async function matchLater(
  exchange: Exchange,
  first: Promise<boolean>,
  others: readonly MatcherSet[],
): Promise<boolean> {
  if (await first) return true;
  for (const set of others) if (await matchSet(exchange, set)) return true;
  return false;
}

/** Reports whether all matchers of a set match. Stops at the first matcher that doesn't match. */
function matchSet(exchange: Exchange, set: MatcherSet): boolean | Promise<boolean> {
  let asked = 0;
  for (const matcher of set) {
    asked++;
    const matched = matcher.match(exchange);
    if (matched === false) return false;
    if (matched !== true) return matchSetLater(exchange, matched, set.slice(asked));
  }
  return true;
}

async function matchSetLater(exchange: Exchange, first: Promise<boolean>, others: MatcherSet): Promise<boolean> {
  if (!(await first)) return false;
  for (const matcher of others) if (!(await matcher.match(exchange))) return false;
  return true;
}
