import { expect } from 'chai';
import { silentLogger, type Json } from '@sluice/base';
import { register as registerAnalysis } from '@sluice/http-analysis';
import { register as httpApp } from '@sluice/http-app';
import { register } from '@sluice/http.handlers';
import { register as registerMatchers } from '@sluice/http.matchers';
import { lint, Registry, type Register } from '@sluice/registry';
import { withRoutes } from '@sluice/testing';

/** Codes of the lint checks that report unreachable configuration. */
const claims: ReadonlySet<string | undefined> = new Set([
  'SL001',
  'SL002',
  'SL003',
  'SL004',
  'SL005',
  'SL009',
  'SL027',
]);

const registerAll: readonly Register[] = [register, registerMatchers, registerAnalysis];

describe('lint checks for unreachable routes', () => {
  const rewrite = { handle: [{ handler: 'rewrite', uri: '/a' }] };
  const responds = (match: Json): Json => ({ match: [match], handle: [{ handler: 'static_response' }] });
  const subroute = (match: Json, routes: Json): Json => ({ match: [match], handle: [{ handler: 'subroute', routes }] });
  const cases: readonly (readonly [name: string, routes: Json, found: readonly string[]])[] = [
    [
      'a route after another route for the same path',
      [responds({ path: ['/a'] }), responds({ path: ['/a'] })],
      ['SL003'],
    ],
    ['a route after a rewrite', [responds({ path: ['/a'] }), rewrite, responds({ path: ['/a'] })], []],
    [
      'a duplicate host after a rewrite, which does not change the host,',
      [responds({ host: ['a'] }), rewrite, responds({ host: ['a'] })],
      ['SL003'],
    ],
    ['a nested route for a different path', [subroute({ path: ['/a/*'] }, [responds({ path: ['/b'] })])], ['SL005']],
    [
      'a nested route for the path of a preceding rewrite',
      [subroute({ path: ['/b/*'] }, [rewrite, responds({ path: ['/a'] })])],
      [],
    ],
    [
      'a negated pattern after a rewrite',
      [
        subroute({ path_regexp: { pattern: '^/b' } }, [
          rewrite,
          responds({ not: [{ path_regexp: { pattern: '^/b' } }] }),
        ]),
      ],
      [],
    ],
    [
      'a negated pattern that never matches',
      [subroute({ path_regexp: { pattern: '^/b' } }, [responds({ not: [{ path_regexp: { pattern: '^/b' } }] })])],
      ['SL005'],
    ],
  ];
  for (const [name, routes, found] of cases) {
    it(`sluice lint ${found.length === 0 ? 'does not report' : 'reports'} ${name} as unreachable`, async () => {
      const registry = new Registry().use(httpApp);
      for (const each of registerAll) registry.use(each);
      const findings = await lint(registry, withRoutes(routes), silentLogger);
      expect(findings.filter(({ code }) => claims.has(code)).map(({ code }) => code)).to.deep.equal(found);
    });
  }
});
