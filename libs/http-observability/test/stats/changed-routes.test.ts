import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { changedRoutes } from '../../src/stats/changed-routes.ts';
import { serverHash } from '@sluice/http-app';

const says = (body: string, extra: { readonly [key: string]: Json } = {}): Json => ({
  ...extra,
  handle: [{ handler: 'static_response', body }],
});
const around = (match: string, ...routes: Json[]): Json => ({
  match: [{ path: [match] }],
  handle: [{ handler: 'subroute', routes }],
});
const site = (routes: readonly Json[], more: { readonly [key: string]: Json } = {}): Json => ({
  apps: { http: { servers: { s: { listen: [':80'], routes }, other: { routes: [says('other')] } }, ...more } },
});

/** Returns the route counters before and after a configuration change, or the totals. */
function counted(before: Json, after: Json): unknown {
  return [false, true].map((isMade) => {
    const { servers, keys, routes } = changedRoutes(before, after, isMade);
    if (servers === null) return 'everything';
    const whole = ['s', 'other'].filter((name) => servers.has(serverHash(name)));
    return whole.length > 0
      ? whole
      : [...routes.all()].filter(({ key }) => keys.has(key)).map(({ path }) => path.slice(18));
  });
}

describe('changedRoutes', () => {
  it('changedRoutes finds routes whose configuration has changed, at any position', () => {
    const before = site([says('a'), says('b'), says('c')]);
    expect(counted(before, site([says('a'), says('B'), says('c')]))).to.deep.equal([['s.routes[1]'], ['s.routes[1]']]);
    expect(counted(before, site([says('c'), says('B'), says('a')]))).to.deep.equal([['s.routes[1]'], ['s.routes[1]']]);
    const named = site([says('a', { '@id': 'one' }), says('b')]);
    expect(counted(named, site([says('A', { '@id': 'one' }), says('b')]))).to.deep.equal([
      ['s.routes[0]'],
      ['s.routes[0]'],
    ]);
  });

  it('changedRoutes returns only the nested routes if nothing else in the enclosing routes differs', () => {
    const before = site([around('/x/*', says('a'), says('b')), says('c')]);
    const inner = 's.routes[0].handle[0].routes[1]';
    expect(counted(before, site([around('/x/*', says('a'), says('B')), says('c')]))).to.deep.equal([[inner], [inner]]);
    expect(counted(before, site([around('/y/*', says('a'), says('b')), says('c')]))).to.deep.equal([
      ['s.routes[0]'],
      ['s.routes[0]'],
    ]);
  });

  it('changedRoutes pairs an added or removed route with the whole server for comparison', () => {
    const before = site([says('a')]);
    expect(counted(before, site([says('a'), says('new')]))).to.deep.equal([['s'], ['s.routes[1]']]);
    expect(counted(site([says('a'), says('old')]), before)).to.deep.equal([['s'], ['s']]);
  });

  it('changedRoutes returns all routes of a server if its options change, and all routes of all servers if an app option changes', () => {
    const other = {
      apps: { http: { servers: { s: { listen: [':81'], routes: [says('a')] }, other: { routes: [says('other')] } } } },
    };
    expect(counted(site([says('a')]), other)).to.deep.equal([['s'], ['s']]);
    expect(counted(site([says('a')]), site([says('a')], { grace_period: '1s' }))).to.deep.equal([
      'everything',
      'everything',
    ]);
  });
});
