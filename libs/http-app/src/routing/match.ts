/** Evaluation of matcher sets: alternatives of conjunctions, without a promise where no matcher waits. */
import type { Exchange } from '../exchange/exchange.ts';
import type { HttpMatcher } from '../handler.ts';

/** Matchers of one set, in the order of the configuration; all of them must match. */
export type MatcherSet = readonly HttpMatcher[];

/** Whether any set matches; no sets at all match. */
export function matchSets(exchange: Exchange, sets: readonly MatcherSet[]): boolean | Promise<boolean> {
  if (sets.length === 0) return true;
  for (let i = 0; i < sets.length; i++) {
    const matched = matchSet(exchange, sets[i] as MatcherSet);
    if (matched === true) return true;
    if (matched !== false) return matchLater(exchange, sets, i, matched);
  }
  return false;
}

async function matchLater(
  exchange: Exchange,
  sets: readonly MatcherSet[],
  at: number,
  first: Promise<boolean>,
): Promise<boolean> {
  if (await first) return true;
  for (let i = at + 1; i < sets.length; i++) if (await matchSet(exchange, sets[i] as MatcherSet)) return true;
  return false;
}

/** Whether all matchers of a set match, asked in order until one does not. */
export function matchSet(exchange: Exchange, set: MatcherSet): boolean | Promise<boolean> {
  for (let i = 0; i < set.length; i++) {
    const matched = (set[i] as MatcherSet[number]).match(exchange);
    if (matched === false) return false;
    if (matched !== true) return matchSetLater(exchange, set, i, matched);
  }
  return true;
}

async function matchSetLater(
  exchange: Exchange,
  set: MatcherSet,
  at: number,
  first: Promise<boolean>,
): Promise<boolean> {
  if (!(await first)) return false;
  for (let i = at + 1; i < set.length; i++) if (!(await (set[i] as MatcherSet[number]).match(exchange))) return false;
  return true;
}
