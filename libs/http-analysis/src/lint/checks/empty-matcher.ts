/** Lint check SL006. */
import { isArray, isObject, type ConfigPath, type Json } from '@sluice/base';
import { defineLint, finder, nativeJson, type Report } from '@sluice/registry';
import { serversOf } from '../servers.ts';
import { everyRoute } from '../every-route.ts';

const server = (match: Json): object => ({
  apps: {
    http: {
      servers: {
        web: { listen: [':8080'], routes: [{ match, handle: [{ handler: 'static_response', body: 'hello' }] }] },
      },
    },
  },
});

/** Matchers whose options are lists of alternatives. */
const lists: ReadonlySet<string> = new Set(['host', 'path', 'method']);

export const emptyMatcher = defineLint({
  code: 'SL006',
  name: 'empty-matcher',
  severity: 'warning',
  summary: 'A matcher with an empty list never matches, and its negation always does.',
  details: `An empty list of hosts, paths or methods does not mean "any": it matches nothing. Remove the matcher to match any request. An empty matcher
set matches every request, so a \`not\` that contains one never matches.`,
  bad: nativeJson(server([{ host: [], path: ['/status'] }])),
  good: nativeJson(server([{ path: ['/status'] }])),
  async check(configuration, report) {
    for (const each of await serversOf(configuration)) {
      for (const route of everyRoute(each)) {
        const match = route.node['match'];
        if (match === undefined || !hasEmpty(match)) continue;
        for (const [index, set] of (isArray(match) ? match : []).entries())
          visitSet(set, [...route.path, 'match', String(index)], report);
      }
    }
  },
});

/** Reports whether a matcher value is or contains `null`, an empty object, or an empty list. */
const hasEmpty = finder((node) => node === null || (typeof node === 'object' && Object.keys(node).length === 0));

function visitSet(set: Json, path: ConfigPath, report: Report, isNegated = false): void {
  if (!isObject(set)) return;
  for (const [name, options] of Object.entries(set)) {
    if (!isArray(options)) continue;
    if (lists.has(name) && options.length === 0) {
      const what = isNegated ? 'always matches' : 'never matches';
      report([...path, name], `is empty, so this ${isNegated ? '`not`' : 'matcher'} ${what}: add values, or remove it`);
    }
    if (name !== 'not') continue;
    for (const [index, inner] of options.entries()) {
      if (isObject(inner) && Object.keys(inner).length > 0)
        visitSet(inner, [...path, name, String(index)], report, true);
      else
        report(
          [...path, name, String(index)],
          'is an empty matcher set, which matches every request, so its `not` never matches: remove it',
        );
    }
  }
}
