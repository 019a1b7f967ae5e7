import { expect } from 'chai';
import type { Json, JsonObject } from '@sluice/base';
import type { Fragment } from '../src/contract.ts';
import { sortedFragments } from '../src/fragment-list.ts';
import { mergeFragments, withRouteIds, type Placed, type ProvidedSet } from '../src/merge.ts';

const route = (host: string): Json => ({ match: [{ host: [host] }] });

function site(listen: string, routes: readonly Json[], more: JsonObject = {}): Fragment {
  return {
    object: 'container',
    config: { apps: { http: { servers: { srv0: { listen: [listen], routes, ...more } } } } },
  };
}

function provided(fragments: Readonly<Record<string, Fragment>>, provider = 'docker'): ProvidedSet {
  return { provider, fragments: sortedFragments(Object.entries(fragments)) };
}

const base: JsonObject = {
  admin: { listen: 'localhost:2019' },
  apps: { http: { servers: { web: { listen: [':80', ':8080'], routes: [route('own')], errors: { routes: [1] } } } } },
};

function serversOf(document: JsonObject): Readonly<Record<string, JsonObject>> {
  const { apps } = document as { apps: { http: { servers: Record<string, JsonObject> } } };
  return apps.http.servers;
}

const sourceOf = (placed: Placed | null): string => (placed === null ? '' : `${placed.provider}/${placed.entry[0]}`);

describe('mergeFragments', () => {
  it('mergeFragments appends routes to the server that listens on the address', () => {
    const { document } = mergeFragments(base, [
      provided({ a: site(':8080', [route('a')]) }),
      provided({ b: site(':80', [route('b')]) }, 'kubernetes'),
    ]);
    expect(serversOf(document)).to.deep.equal({
      web: { listen: [':80', ':8080'], routes: [route('own'), route('a'), route('b')], errors: { routes: [1] } },
    });
    expect(document['admin']).to.equal(base['admin']);
  });

  it('mergeFragments adds a server if no server listens on the address, and later fragments share this server', () => {
    const sets = [
      provided({
        a: site(':443', [route('a')], { automatic_https: { skip: ['x'] } }),
        b: site(':443', [route('b')]),
        c: {
          object: 'c',
          config: { apps: { http: { servers: { web: { listen: [':444'], routes: [route('c')] } } } } },
        },
      }),
    ];
    const { document, servers } = mergeFragments(base, sets);
    expect(serversOf(document)).to.deep.equal({
      web: serversOf(base)['web'],
      srv0: { listen: [':443'], automatic_https: { skip: ['x'] }, routes: [route('a'), route('b')] },
      docker_web: { listen: [':444'], routes: [route('c')] },
    });
    expect([...servers].map(([name, placed]) => [name, sourceOf(placed)])).to.deep.equal([
      ['srv0', 'docker/a'],
      ['docker_web', 'docker/c'],
    ]);
  });

  it('mergeFragments adds one fallback route per server after the routes of all providers', () => {
    const fallback = (status: number, order: string): Fragment => ({
      ...site(':80', [{ handle: [{ handler: 'static_response', status_code: status }] }], { protocols: ['h1'] }),
      fallback: order,
    });
    const { document, routes } = mergeFragments({}, [
      provided({ a: site(':80', [route('a')]), z: fallback(404, '9') }, 'gateways'),
      provided({ b: site(':80', [route('b')]), y: fallback(503, '5'), z: fallback(404, '9') }, 'ingresses'),
    ]);
    expect(serversOf(document)['srv0']).to.deep.equal({
      listen: [':80'],
      protocols: ['h1'],
      routes: [route('a'), route('b'), { handle: [{ handler: 'static_response', status_code: 503 }] }],
    });
    expect(sourceOf(routes.get('srv0')?.at(2) ?? null)).to.equal('ingresses/y');
  });

  it('mergeFragments sorts the connection policies of providers by server name, and keeps one policy for all names', () => {
    const policies = (...all: readonly JsonObject[]): Fragment => site(':443', [], { tls_connection_policies: all });
    const name = (sni: string): JsonObject => ({ match: { sni: [sni] } });
    const selecting = { match: {}, default_sni: 'a.test' };
    const { document } = mergeFragments({}, [
      provided({ a: policies(name('*.test'), { match: {} }) }, 'gateways'),
      provided({ b: policies(name('x.b.test'), name('*.b.test'), selecting, { match: {} }) }, 'ingresses'),
    ]);
    expect(serversOf(document)['srv0']?.['tls_connection_policies']).to.deep.equal([
      name('x.b.test'),
      name('*.b.test'),
      name('*.test'),
      selecting,
    ]);
  });

  it('mergeFragments keeps the order of connection policies with other matchers', () => {
    const all = [{ match: { sni: ['*.test'] } }, { match: { remote_ip: {}, sni: ['a.test'] } }];
    const { document } = mergeFragments({}, [provided({ a: site(':443', [], { tls_connection_policies: all }) })]);
    expect(serversOf(document)['srv0']?.['tls_connection_policies']).to.deep.equal(all);
  });

  it('mergeFragments returns the contributor of each added route', () => {
    const { routes } = mergeFragments(base, [provided({ a: site(':80', [route('a')]), b: site(':80', [route('b')]) })]);
    expect([...(routes.get('web') ?? [])].map(sourceOf)).to.deep.equal(['', 'docker/a', 'docker/b']);
  });

  it('mergeFragments adds error routes, named routes, and connection policies with a matcher', () => {
    const policy = { match: { sni: ['a'] } };
    const more = { errors: { routes: [2] }, named_routes: { n: 1 }, tls_connection_policies: [policy, {}] };
    const { document } = mergeFragments(base, [provided({ a: site(':80', [], more) })]);
    expect(serversOf(document)['web']).to.deep.include({
      errors: { routes: [1, 2] },
      named_routes: { n: 1 },
      tls_connection_policies: [policy],
    });
  });

  it('mergeFragments adds certificates and automation policies before the entries of the document', () => {
    const tls = (name: string): JsonObject => ({
      certificates: { automate: [name], load_files: [{ certificate: name }] },
      automation: { policies: [{ subjects: [name] }] },
    });
    const own = { apps: { tls: { ...tls('own'), session_tickets: {} } } };
    const { document } = mergeFragments(own, [
      provided({ a: { object: 'a', config: { apps: { tls: tls('a'), pki: 1 } } } }),
    ]);
    expect(document).to.deep.equal({
      apps: {
        pki: 1,
        tls: {
          certificates: { automate: ['a', 'own'], load_files: [{ certificate: 'a' }, { certificate: 'own' }] },
          automation: { policies: [{ subjects: ['a'] }, { subjects: ['own'] }] },
          session_tickets: {},
        },
      },
    });
  });

  it('mergeFragments shares unchanged routes between results', () => {
    const a = withRouteIds('docker', 'a', site(':80', [route('a')]));
    const first = mergeFragments(base, [provided({ a })]).document;
    const second = mergeFragments(base, [provided({ a, b: site(':80', [route('b')]) })]).document;
    const routesOf = (document: JsonObject): readonly Json[] => serversOf(document)['web']?.['routes'] as Json[];
    expect(
      routesOf(second)
        .slice(0, 2)
        .every((each, i) => each === routesOf(first)[i]),
    ).to.equal(true);
  });
});

describe('withRouteIds', () => {
  it('withRouteIds derives route IDs from provider and key, and preserves existing IDs', () => {
    const { config } = withRouteIds('docker', 'shop', site(':80', [route('a'), route('b'), { '@id': 'own' }]));
    const ids = ((serversOf(config)['srv0'] as JsonObject)['routes'] as readonly JsonObject[]).map(
      (each) => each['@id'],
    );
    expect(ids).to.deep.equal(['docker/shop', 'docker/shop#1', 'own']);
  });
});
