import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { changedParts } from '../../src/canary/changed-parts.ts';

const route = (path: string, ...rest: Json[]): Json => ({ match: [{ path: [path] }], handle: rest });
const [a, b, c] = [route('/a'), route('/b'), route('/c')];

describe('changedParts', () => {
  it('changedParts contains the replaced and the replacing route', () => {
    const made = route('/b', { handler: 'x' });
    const parts = changedParts({ routes: [a, b, c] }, { routes: [a, made, c] });
    expect([...(parts.gone ?? [])]).to.deep.equal([b]);
    expect([...(parts.made ?? [])]).to.deep.equal([made]);
  });

  it('changedParts compares a new or removed route with the whole server', () => {
    const added = changedParts({ routes: [a] }, { routes: [a, b] });
    expect([added.gone, [...(added.made ?? [])]]).to.deep.equal([null, [b]]);
    const removed = changedParts({ routes: [a, b] }, { routes: [a] });
    expect([[...(removed.gone ?? [])], removed.made]).to.deep.equal([[b], null]);
  });

  it('changedParts ignores enclosing routes if only nested routes differ', () => {
    const outer = (...routes: Json[]): Json => route('/o', { handler: 'subroute', routes });
    const made = route('/b', { handler: 'x' });
    const parts = changedParts({ routes: [outer(a, b)] }, { routes: [outer(a, made)] });
    expect([[...(parts.gone ?? [])], [...(parts.made ?? [])]]).to.deep.equal([[b], [made]]);
  });

  it('changedParts contains the whole server if its own options or error routes differ', () => {
    const whole = { gone: null, made: null };
    expect(changedParts({ routes: [a] }, { routes: [a], idle_timeout: '1s' })).to.deep.equal(whole);
    expect(
      changedParts({ routes: [a], errors: { routes: [b] } }, { routes: [a], errors: { routes: [c] } }),
    ).to.deep.equal(whole);
    const same = { routes: [a] };
    expect(changedParts(same, same)).to.deep.equal(whole);
  });

  it('changedParts ignores the order of routes', () => {
    const made = route('/x');
    const parts = changedParts({ routes: [a, b, c] }, { routes: [c, made, a] });
    expect([[...(parts.gone ?? [])], [...(parts.made ?? [])]]).to.deep.equal([[b], [made]]);
  });
});
