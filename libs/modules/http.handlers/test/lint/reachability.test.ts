import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import { flows, httpHandlers, register as httpApp } from '@sluice/http-app';
import { register } from '@sluice/http.handlers';
import { register as registerMatchers } from '@sluice/http.matchers';
import { defineModule, lint, options, Registry, string, type Register } from '@sluice/registry';
import { sampleTls, serve } from '@sluice/testing';
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
