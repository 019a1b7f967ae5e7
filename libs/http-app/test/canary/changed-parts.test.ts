import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { changedParts } from '../../src/canary/changed-parts.ts';

const proxy = (dial: string): Json => ({ handler: 'reverse_proxy', upstreams: [{ dial }] });
const headers = (value: string): Json => ({ handler: 'headers', response: { set: { 'X-A': [value] } } });
const route = (path: string, ...handle: Json[]): Json => ({ match: [{ path: [path] }], handle });
const [a, b, c] = [route('/a', proxy('a')), route('/b', proxy('b')), route('/c', proxy('c'))];
const outer = (...routes: Json[]): Json => route('/o', { handler: 'subroute', routes }, proxy('rest'));

/** Returns the changed routes, or `null` if the whole server changed. */
function partsOf(before: readonly Json[], after: readonly Json[]): Json[] | null {
  const routes = changedParts({ routes: before }, { routes: after });
  return routes === null ? null : [...routes];
}

describe('changedParts', () => {
  it('changedParts contains both the old and the new route if a route is replaced', () => {
    const made = route('/b', proxy('x'));
    expect(partsOf([a, b, c], [a, made, c])).to.deep.equal([b, made]);
  });

  it('changedParts omits enclosing routes if only nested routes differ', () => {
    const made = route('/b', proxy('x'));
    expect(partsOf([outer(a, b)], [outer(a, made)])).to.deep.equal([b, made]);
  });

  for (const [title, changed] of [
    ['a route is added', [a, b, c]],
    ['a route is removed', [a]],
    ['a matcher differs', [a, route('/x', proxy('b'))]],
    ['the order differs', [b, a]],
    ['a route now calls the next handler', [a, route('/b', headers('1'))]],
  ] as const) {
    it(`changedParts contains the whole server if ${title}, because requests may now reach other routes`, () => {
      expect(partsOf([a, b], changed)).to.equal(null);
    });

    it(`changedParts contains the enclosing route if ${title} within that route`, () => {
      const [before, after] = [outer(a, b), outer(...changed)];
      expect(partsOf([c, before], [c, after])).to.deep.equal([before, after]);
    });
  }

  it('changedParts contains a route if a change adds the first nested routes to it and also replaces another route', () => {
    const [empty, filled] = [route('/o', { handler: 'subroute' }, proxy('rest')), outer(a)];
    const made = route('/b', proxy('x'));
    expect(partsOf([empty, b], [filled, made])).to.deep.equal([empty, filled, b, made]);
  });

  it('changedParts contains the whole server if the enclosing route may pass requests on to later routes', () => {
    const open = (...routes: Json[]): Json => route('/o', { handler: 'subroute', routes });
    expect(partsOf([open(a), c], [open(a, b), c])).to.equal(null);
  });

  it('changedParts contains the whole server if its own options or error routes differ', () => {
    expect(changedParts({ routes: [a] }, { routes: [a], idle_timeout: '1s' })).to.equal(null);
    expect(changedParts({ routes: [a], errors: { routes: [b] } }, { routes: [a], errors: { routes: [c] } })).to.equal(
      null,
    );
    const same = { routes: [a] };
    expect(changedParts(same, same)).to.equal(null);
  });
});
