import { expect } from 'chai';
import fc from 'fast-check';
import type { Json, JsonObject } from '@sluice/base';
import type { Fragment, FragmentChanges } from '../src/contract.ts';
import { updateMerged } from '../src/merge-update.ts';
import { mergeFragments, type Merged, type ProvidedSet } from '../src/merge.ts';
import { ProviderState } from '../src/provider-state.ts';

const base: JsonObject = {
  apps: { http: { servers: { web: { listen: [':80', ':8080'], routes: [{ own: true }] } } } },
};

function fragment(servers: JsonObject, rank?: string, fallback?: string): Fragment {
  return {
    object: 'object',
    config: { apps: { http: { servers } } },
    ...(rank === undefined ? {} : { rank }),
    ...(fallback === undefined ? {} : { fallback }),
  };
}

const served = (listen: readonly string[], routes: readonly Json[], more: JsonObject = {}): JsonObject => ({
  listen,
  routes,
  ...more,
});

/** Returns a fragment to which a server of the `layer4` app has been added. */
function withStream(made: Fragment, listen: readonly string[] | undefined): Fragment {
  if (listen === undefined) return made;
  const layer4 = { servers: { stream: served(listen, [{ handle: [] }]) } };
  return { ...made, config: { apps: { ...(made.config['apps'] as JsonObject), layer4 } } };
}

/** Converts the lists of contributors to arrays, because their chunk boundaries depend on earlier changes. */
function comparable({ routes, ...merged }: Merged): object {
  return { ...merged, routes: new Map([...routes].map(([name, owners]) => [name, [...owners]])) };
}

/** States of two providers, and the result of merging them. */
class Providers {
  readonly states: readonly ProviderState[] = [
    new ProviderState('one', new Map()),
    new ProviderState('two', new Map()),
  ];
  merged: Merged = mergeFragments(base, this.sets);
  updates = 0;

  get sets(): readonly ProvidedSet[] {
    return this.states.map(({ set }) => set);
  }

  change(provider: number, changes: FragmentChanges): void {
    const before = this.sets;
    const state = this.states[provider] as ProviderState;
    state.commit(state.with(changes));
    const updated = updateMerged(this.merged, before, this.sets);
    const complete = mergeFragments(base, this.sets);
    if (updated !== null) {
      this.updates++;
      expect(comparable(updated)).to.deep.equal(comparable(complete));
    }
    this.merged = updated ?? complete;
  }
}

describe('updateMerged', () => {
  it('updateMerged replaces only the route of a changed fragment', () => {
    const providers = new Providers();
    const site = (n: number, value: Json): [string, Fragment] => [
      `k${n}`,
      fragment({ s: served([':80'], [{ value }]) }),
    ];
    providers.change(0, new Map(Array.from({ length: 100 }, (_, n) => site(n, 0))));
    const { document } = providers.merged;
    providers.change(0, new Map([site(50, 1)]));
    expect(providers.updates).to.equal(1);
    const routesOf = (each: JsonObject): readonly Json[] =>
      (each as { apps: { http: { servers: { web: { routes: Json[] } } } } }).apps.http.servers.web.routes;
    const [before, after] = [routesOf(document), routesOf(providers.merged.document)];
    expect(after.filter((route) => !before.includes(route))).to.deep.equal([{ '@id': 'one/k50', value: 1 }]);
  });

  it('updateMerged returns the result of a complete merge, or null (property)', () => {
    let [updates, conflicts] = [0, 0];
    const server = fc.record({
      listen: fc.constantFrom([':80'], [':8080', ':80'], [':81'], [':82', ':81'], [':80', ':82']),
      routes: fc.array(fc.record({ n: fc.nat(3) }), { maxLength: 3 }),
      more: fc.constantFrom<JsonObject>(
        { max_header_bytes: 1 },
        { max_header_bytes: 2, x: 1 },
        {},
        {},
        {},
        { errors: { routes: [1] } },
        { tls_connection_policies: [{ match: {} }] },
      ),
    });
    const made = fc.record({
      servers: fc.array(server, { maxLength: 2 }),
      rank: fc.constantFrom(undefined, '1', '2'),
      fallback: fc.constantFrom(undefined, undefined, '1', '2'),
      stream: fc.constantFrom(undefined, undefined, undefined, [':81'], [':82', ':83'], [':80']),
    });
    const change = fc.tuple(fc.nat(1), fc.array(fc.tuple(fc.nat(6), fc.option(made)), { minLength: 1, maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (sequence) => {
        const providers = new Providers();
        for (const [provider, changes] of sequence)
          providers.change(
            provider,
            new Map(
              changes.map(([key, value]) => [
                `k${key}`,
                value === null
                  ? null
                  : withStream(
                      fragment(
                        Object.fromEntries(
                          value.servers.map(({ listen, routes, more }, i) => [`s${i}`, served(listen, routes, more)]),
                        ),
                        value.rank,
                        value.fallback,
                      ),
                      value.stream,
                    ),
              ]),
            ),
          );
        updates += providers.updates;
        if (providers.merged.conflicts.size > 0) conflicts++;
      }),
      { numRuns: 500 },
    );
    expect(updates).to.be.above(100);
    expect(conflicts).to.be.above(20);
  });
});
