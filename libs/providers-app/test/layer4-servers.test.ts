import { expect } from 'chai';
import { mergeFragments } from '../src/merge.ts';

const server = (listen: string, ...names: readonly string[]): object => ({
  listen: [listen],
  routes: names.map((name) => ({ '@id': name })),
});

describe('mergeFragments for layer4 servers', () => {
  const merged = (base: object, ...servers: readonly object[]): unknown => {
    const fragments = servers.map(
      (each, i) => [String(i), { config: { apps: { layer4: { servers: each } } } }] as const,
    );
    const { document } = mergeFragments({ apps: base } as never, [{ provider: 'p', fragments: fragments as never }]);
    return (document['apps'] as { layer4?: unknown }).layer4;
  };

  it('mergeFragments adds the layer 4 routes of several fragments for one address to the same server', () => {
    expect(merged({}, { a: server(':1', 'x') }, { a: server(':1', 'y') }, { b: server(':2', 'z') })).to.deep.equal({
      servers: { a: server(':1', 'x', 'y'), b: server(':2', 'z') },
    });
  });

  it('mergeFragments adds the layer 4 routes of a provider after the routes of the document', () => {
    expect(merged({ layer4: { servers: { own: server(':1', 'x') } } }, { a: server(':1', 'y') })).to.deep.equal({
      servers: { own: server(':1', 'x', 'y') },
    });
  });

  it('mergeFragments keeps a layer 4 server of the document if a fragment uses the same server name with a different address', () => {
    expect(merged({ layer4: { servers: { a: server(':1', 'x') } } }, { a: server(':2', 'y') })).to.deep.equal({
      servers: { a: server(':1', 'x'), p_a: server(':2', 'y') },
    });
  });

  it('mergeFragments keeps the layer4 app of a document if no fragments change it', () => {
    const app = { servers: { own: { listen: [':1'] } } };
    expect(merged({ layer4: app })).to.equal(app);
  });

  it('mergeFragments puts routes for TLS connections before the HTTP server on their address, and other routes into a layer 4 server', () => {
    const tls = { match: [{ tls: { sni: ['pass.test'] } }] };
    const web = { listen: [':443'], routes: [] };
    const fragment = (servers: object): object => ({ config: { apps: { layer4: { servers } } } });
    const added = [
      fragment({ a: { listen: [':443'], routes: [tls] } }),
      fragment({ b: { listen: [':444'], routes: [tls] }, c: server(':81', 'x') }),
      { config: { apps: { http: { servers: { plain: { listen: [':80'], routes: [] } } } } } },
    ].map((each, i) => [String(i), each] as const);
    const { document } = mergeFragments({ apps: { http: { servers: { web } } } }, [
      { provider: 'p', fragments: added as never },
    ]);
    expect(document['apps']).to.deep.equal({
      http: {
        servers: {
          web: { ...web, listener_wrappers: [{ wrapper: 'layer4', routes: [tls] }, { wrapper: 'tls' }] },
          plain: { listen: [':80'], routes: [] },
        },
      },
      layer4: { servers: { b: { listen: [':444'], routes: [tls] }, c: server(':81', 'x') } },
    });
  });

  it('mergeFragments puts the listener wrappers of the document after the routes of providers', () => {
    const own = [{ wrapper: 'proxy_protocol' }, { wrapper: 'tls' }];
    const tls = { match: [{ tls: {} }] };
    const { document } = mergeFragments(
      { apps: { http: { servers: { web: { listen: [':443'], listener_wrappers: own } } } } },
      [
        {
          provider: 'p',
          fragments: [
            ['a', { config: { apps: { layer4: { servers: { a: { listen: [':443'], routes: [tls] } } } } } }],
          ] as never,
        },
      ],
    );
    expect(JSON.stringify(document)).to.include('[{"wrapper":"proxy_protocol"},{"wrapper":"layer4"');
  });
});
