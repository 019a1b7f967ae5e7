import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonArray, JsonObject, NetworkAddress } from '@sluice/base';
import { decide, type AutomaticHttps } from '../../src/automatic-https/decision.ts';

type Config = Parameters<typeof decide>[0];

const ports = { http: 80, https: 443 };
const at = (startPort: number): NetworkAddress[] => [
  { network: 'tcp', host: '', startPort, endPort: startPort } as NetworkAddress,
];
const routeOf = (...host: string[]): JsonObject => ({ match: [{ host }], handle: [] });
const shown = ({ hosts, certificates, defaultPolicy, redirects }: AutomaticHttps): unknown => ({
  hosts: [...hosts].sort(),
  certificates: [...certificates.names].sort(),
  ignoreLoaded: certificates.ignoreLoaded,
  defaultPolicy,
  redirects,
});

describe('automatic HTTPS', () => {
  const rows: readonly [what: string, config: JsonObject, port: number, hosts: string, certificates: string][] = [
    [
      'the host names of routes',
      { routes: [routeOf('A.test', 'b.test'), routeOf('a.test')] },
      443,
      'a.test b.test',
      'a.test b.test',
    ],
    ['nothing on the HTTP port', { routes: [routeOf('a.test')] }, 80, '', ''],
    ['nothing if it is disabled', { automatic_https: { disable: true }, routes: [routeOf('a.test')] }, 443, '', ''],
    [
      'all names except skipped ones',
      { automatic_https: { skip: ['a.test'] }, routes: [routeOf('a.test', 'b.test')] },
      443,
      'b.test',
      'b.test',
    ],
    [
      'certificates except for skipped names',
      { automatic_https: { skip_certificates: ['a.test'] }, routes: [routeOf('a.test', 'b.test')] },
      443,
      'a.test b.test',
      'b.test',
    ],
    [
      'no certificates if they are disabled',
      { automatic_https: { disable_certificates: true }, routes: [routeOf('a.test')] },
      443,
      'a.test',
      '',
    ],
    [
      'no certificates for invalid names',
      { routes: [routeOf('*', 'a_b.test', 'c d', '*.d.test')] },
      443,
      '* *.d.test a_b.test c d',
      '*.d.test a_b.test',
    ],
  ];
  for (const [what, config, port, hosts, certificates] of rows) {
    it(`automatic HTTPS configures ${what}`, () => {
      const decision = decide(config, at(port), ports);
      expect([...decision.hosts].sort().join(' ')).to.equal(hosts);
      expect([...decision.certificates.names].sort().join(' ')).to.equal(certificates);
    });
  }

  it('automatic HTTPS makes the same decisions incrementally as it does from scratch', () => {
    const host = fc.constantFrom('a.test', 'b.test', 'c.test', '*.test', 'x y');
    const route = fc.array(host, { maxLength: 2 }).map((hosts): JsonObject => routeOf(...hosts));
    const options = fc.constantFrom<JsonObject | undefined>(
      undefined,
      { skip: ['a.test'] },
      { skip_certificates: ['b.test'] },
    );
    const step = fc.record({ at: fc.nat(6), removed: fc.nat(2), added: fc.array(route, { maxLength: 2 }), options });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let routes: JsonArray = [];
        let previous: AutomaticHttps | null = null;
        for (const { at: index, removed, added, options: automatic } of steps) {
          routes = routes.toSpliced(index, removed, ...added);
          const config = {
            routes,
            ...(automatic === undefined ? {} : { automatic_https: automatic }),
          } as JsonObject as Config;
          previous = decide(config, at(443), ports, previous);
          expect(shown(previous)).to.deep.equal(shown(decide(config, at(443), ports)));
        }
      }),
    );
  });

  it('automatic HTTPS keeps the same certificate list after an unrelated change', () => {
    const one = routeOf('a.test');
    const before = decide({ routes: [one, routeOf('b.test')] }, at(443), ports);
    const after = decide({ routes: [one, { ...routeOf('b.test'), terminal: true }] }, at(443), ports, before);
    expect(after.certificates).to.equal(before.certificates);
  });
});
