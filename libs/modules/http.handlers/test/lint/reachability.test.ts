import { expect } from 'chai';
import { silentLogger, type Json } from '@sluice/base';
import { flows, httpHandlers, register as httpApp } from '@sluice/http-app';
import { register } from '@sluice/http.handlers';
import { register as registerMatchers } from '@sluice/http.matchers';
import { defineModule, lint, options, Registry, string, type Register } from '@sluice/registry';
import { sampleTls, serve, withRoutes } from '@sluice/testing';
import { chanceOf, madeUpConfiguration, madeUpRequest } from './made-up-routes.ts';

/** A few thousand; `REACHABILITY_REQUESTS=1000000 mocha …` for a night, and another `REACHABILITY_SEED`. */
const requests = Number(process.env['REACHABILITY_REQUESTS'] ?? 12_000);
const seed = Number(process.env['REACHABILITY_SEED'] ?? 1);
const requestsPerConfiguration = 20;

/** Checks that say that something is never run. */
const claims: ReadonlySet<string | undefined> = new Set([
  'SL001',
  'SL002',
  'SL003',
  'SL004',
  'SL005',
  'SL009',
  'SL027',
]);

let reached = new Set<string>();
const mark = defineModule(httpHandlers, {
  name: 'mark',
  help: 'Notes that it ran.',
  config: options({ place: string('Where it stands.') }),
  provision: ({ place }) => ({
    handle: (exchange, next) => {
      reached.add(place ?? '');
      return next(exchange);
    },
  }),
});

const registerAll: readonly Register[] = [
  register,
  registerMatchers,
  (registry) =>
    void registry.add(mark).contribute(flows, {
      name: 'mark',
      load: () =>
        Promise.resolve({ handlers: { mark: () => ({ passes: 'maybe', changes: [], raises: [], responds: false }) } }),
    }),
];

describe('what sluice lint says of routes that are never run', function () {
  this.timeout(0);

  const rewrite = { handle: [{ handler: 'rewrite', uri: '/a' }] };
  const responds = (match: Json): Json => ({ match: [match], handle: [{ handler: 'static_response' }] });
  const subroute = (match: Json, routes: Json): Json => ({ match: [match], handle: [{ handler: 'subroute', routes }] });
  const cases: readonly (readonly [name: string, routes: Json, found: readonly string[]])[] = [
    ['a route after one with the same path', [responds({ path: ['/a'] }), responds({ path: ['/a'] })], ['SL003']],
    ['a route after a rewrite', [responds({ path: ['/a'] }), rewrite, responds({ path: ['/a'] })], []],
    ['a host that a rewrite leaves', [responds({ host: ['a'] }), rewrite, responds({ host: ['a'] })], ['SL003']],
    ['another path within a path', [subroute({ path: ['/a/*'] }, [responds({ path: ['/b'] })])], ['SL005']],
    ['another path after a rewrite', [subroute({ path: ['/b/*'] }, [rewrite, responds({ path: ['/a'] })])], []],
    [
      'a pattern that does not hold after a rewrite',
      [
        subroute({ path_regexp: { pattern: '^/b' } }, [
          rewrite,
          responds({ not: [{ path_regexp: { pattern: '^/b' } }] }),
        ]),
      ],
      [],
    ],
    [
      'a pattern that cannot hold',
      [subroute({ path_regexp: { pattern: '^/b' } }, [responds({ not: [{ path_regexp: { pattern: '^/b' } }] })])],
      ['SL005'],
    ],
  ];
  for (const [name, routes, found] of cases) {
    it(`${found.length === 0 ? 'says nothing of' : 'finds'} ${name}`, async () => {
      const registry = new Registry().use(httpApp);
      for (const each of registerAll) registry.use(each);
      const findings = await lint(registry, withRoutes(routes), silentLogger);
      expect(findings.filter(({ code }) => claims.has(code)).map(({ code }) => code)).to.deep.equal(found);
    });
  }

  it('is true of made-up routes and requests', async () => {
    const registry = new Registry().use(httpApp);
    for (const each of registerAll) registry.use(each);
    const chance = chanceOf(seed);
    let said = 0;
    for (let done = 0; done < requests; done += requestsPerConfiguration) {
      const document = madeUpConfiguration(chance);
      const findings = (await lint(registry, document, silentLogger)).filter(({ code }) => claims.has(code));
      said += findings.length;
      const server = await serve(document, { register: registerAll });
      try {
        for (let count = 0; count < requestsPerConfiguration; count++) {
          reached = new Set();
          const request = madeUpRequest(chance, { tls: sampleTls });
          await server.request(request);
          for (const { path, code, message } of findings)
            for (const place of reached)
              if (place === path || place.startsWith(`${path}.`))
                expect.fail(
                  `${code} said of ${path} that it ${message}, and ${JSON.stringify(request)} got there: ${JSON.stringify(document)}`,
                );
        }
      } finally {
        await server.close();
      }
    }
    // So many routes of these are never run that silence would be a defect.
    expect(said).to.be.above(requests / requestsPerConfiguration);
  });
});
