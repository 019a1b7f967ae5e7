import { expect } from 'chai';
import { forbiddenPlace, defaultOverlayPaths } from '../src/overlay-paths.ts';

const listen = { apps: { http: { servers: { site: { listen: [':8081'] } } } } };

describe('configuration overlays of a fleet', () => {
  it('overlays may change settings that are specific to a machine', () => {
    const logging = { logs: { default: { level: 'DEBUG' } } };
    expect(forbiddenPlace({ admin: { listen: ':2020' }, logging, ...listen }, defaultOverlayPaths)).to.equal(null);
    expect(forbiddenPlace({}, defaultOverlayPaths)).to.equal(null);
  });

  it('overlays cannot change other values, and the error names the first rejected path', () => {
    const routes = { apps: { http: { servers: { site: { listen: [':1'], routes: [] } } } } };
    expect(forbiddenPlace(routes, defaultOverlayPaths)).to.equal('/apps/http/servers/site/routes');
    expect(forbiddenPlace({ apps: { http: { servers: { site: null } } } }, defaultOverlayPaths)).to.equal(
      '/apps/http/servers/site',
    );
    expect(forbiddenPlace({ apps: null }, defaultOverlayPaths)).to.equal('/apps');
    expect(forbiddenPlace([], defaultOverlayPaths)).to.equal('');
  });

  it('overlays may change additional paths that the fleet permits', () => {
    const tls = { apps: { tls: { automation: { policies: [] } } } };
    expect(forbiddenPlace(tls, defaultOverlayPaths)).to.equal('/apps/tls/automation/policies');
    expect(forbiddenPlace(tls, [...defaultOverlayPaths, '/apps/tls/automation'])).to.equal(null);
  });
});
