/** `http.matchers.not`: matches if none of its matcher sets match. */
import {
  httpMatchers,
  loadMatcherSet,
  matchSets,
  type Exchange,
  type HttpMatcher,
  type MatcherSet,
} from '@sluice/http-app';
import { anything, defineModule, moduleKeyword } from '@sluice/registry';
import type { JsonObject } from '@sluice/base';

export const notModule = defineModule(httpMatchers, {
  name: 'not',
  effect: 'pure',
  help: 'Matches requests that match none of the matcher sets.',
  config: anything({
    type: 'array',
    description: 'Matcher sets, none of which may match. A set matches if all its matchers match.',
    [moduleKeyword]: { namespace: httpMatchers.id, kind: 'sets' },
    items: { type: ['object', 'null'] },
  }),
  async provision(config, context): Promise<HttpMatcher> {
    const sets: MatcherSet[] = [];
    for (const [index, set] of (config as readonly (JsonObject | null)[]).entries())
      sets.push(await loadMatcherSet(set, context, index));
    return noneOf(sets);
  },
});

function noneOf(sets: readonly MatcherSet[]): HttpMatcher {
  return {
    match: (exchange) => matchNone(exchange, sets),
    watched: (watch) => noneOf(sets.map((set, index) => watch.matchers(set, index))),
  };
}

function matchNone(exchange: Exchange, sets: readonly MatcherSet[]): boolean | Promise<boolean> {
  if (sets.length === 0) return true;
  const matched = matchSets(exchange, sets);
  return typeof matched === 'boolean' ? !matched : matched.then((each) => !each);
}
