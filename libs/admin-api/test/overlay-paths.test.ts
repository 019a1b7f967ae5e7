import { expect } from 'chai';
import { forbiddenPlace, usualOverlayPaths } from '../src/overlay-paths.ts';

const listen = { apps: { http: { servers: { site: { listen: [':8081'] } } } } };

describe('what overlays of a fleet may touch', () => {
  it('overlays may change settings that are specific to a machine', () => {
    const logging = { logs: { default: { level: 'DEBUG' } } };
    expect(forbiddenPlace({ admin: { listen: ':2020' }, logging, ...listen }, usualOverlayPaths)).to.equal(null);
    expect(forbiddenPlace({}, usualOverlayPaths)).to.equal(null);
  });

  it('overlays cannot change other values, and the error names the first rejected path', () => {
    const routes = { apps: { http: { servers: { site: { listen: [':1'], routes: [] } } } } };
    expect(forbiddenPlace(routes, usualOverlayPaths)).to.equal('/apps/http/servers/site/routes');
    expect(forbiddenPlace({ apps: { http: { servers: { site: null } } } }, usualOverlayPaths)).to.equal(
      '/apps/http/servers/site',
    );
    expect(forbiddenPlace({ apps: null }, usualOverlayPaths)).to.equal('/apps');
    expect(forbiddenPlace([], usualOverlayPaths)).to.equal('');
  });

  it('overlays may change additional paths that the fleet permits', () => {
    const tls = { apps: { tls: { automation: { policies: [] } } } };
    expect(forbiddenPlace(tls, usualOverlayPaths)).to.equal('/apps/tls/automation/policies');
    expect(forbiddenPlace(tls, [...usualOverlayPaths, '/apps/tls/automation'])).to.equal(null);
  });
});
