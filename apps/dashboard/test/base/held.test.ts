import { expect } from 'chai';
import { Held } from '../../src/page/base/held.ts';

const s = 'apps.http.servers.s';

describe('dashboard.base.held', () => {
  const held = new Held([
    { path: s, after: s, connections: 3, in_flight: 5 },
    { path: `${s}.routes[1]`, after: `${s}.routes[0]`, in_flight: 2 },
    { path: `${s}.routes[3]`, after: null, in_flight: 1 },
  ]);

  it('Held returns the number of in-flight requests for the route that contains a module', () => {
    expect(held.by(`${s}.routes[3].handle[0]`, false)?.in_flight).to.equal(1);
    expect(held.by(`${s}.routes[1].handle[0].transport`, false)?.in_flight).to.equal(2);
  });

  it('Held looks up reused modules by their new path', () => {
    expect(held.by(`${s}.routes[0].handle[0]`, true)?.in_flight).to.equal(2);
    expect(held.by(`${s}.routes[3].handle[0]`, true)).to.equal(null);
  });

  it('Held returns all connections of a server for a module that belongs to no route, and null for an idle route', () => {
    expect(held.by(`${s}.listener_wrappers[0]`, false)?.connections).to.equal(3);
    expect(held.by(`${s}.routes[2].handle[0]`, false)).to.equal(null);
    expect(held.by('apps.tls', false)).to.equal(null);
  });
});
