import { expect } from 'chai';
import type { Json, JsonObject } from '@sluice/base';
import { addressesProblem, earlierRoute, hostProblem, targetProblem, withSite } from '../../src/page/base/new-site.ts';
import { serverForSite, siteServersOf, siteUrl } from '../../src/page/base/site-url.ts';
import { valueAt } from '../../src/page/base/json.ts';

const site = { kind: 'proxy', host: 'a.example.com', to: 'localhost:3000', by: '', server: '' };

function withServers(servers: Json, app: JsonObject = {}): Json {
  return { apps: { http: { ...app, servers } } };
}

/** Returns the URL of a site on the default server. Without a host name, the site matches all hosts. */
function urlOf(document: Json, host = 'a.example.com'): string {
  return siteUrl(serverForSite(document), host);
}

describe('form for new sites in the dashboard', () => {
  it('serverForSite selects the server on the HTTPS port', () => {
    const document = withServers({
      plain: { listen: [':80'] },
      other: { listen: [':9443'] },
      main: { listen: [':443'] },
    });
    expect(serverForSite(document).key).to.equal('main');
    const custom = withServers({ main: { listen: [':443'] }, custom: { listen: [':8443'] } }, { https_port: 8443 });
    expect(serverForSite(custom).key).to.equal('custom');
  });

  it('serverForSite does not recognize ports 4430 to 4439 as HTTPS ports', () => {
    const document = withServers({
      odd: { listen: [':4431'], automatic_https: { disable: true } },
      web: { listen: [':80'] },
    });
    expect(serverForSite(document).key).to.equal('web');
  });

  it('siteUrl contains the scheme and port of the server', () => {
    expect(urlOf(withServers({ a: { listen: [':443'] } }))).to.equal('https://a.example.com/');
    expect(urlOf(withServers({ a: { listen: [':80'] } }))).to.equal('http://a.example.com/');
    expect(urlOf(withServers({ a: { listen: [':8080'] } }))).to.equal('https://a.example.com:8080/');
    expect(urlOf(withServers({ a: { listen: [':8080'] } }), '')).to.equal('http://localhost:8080/');
    expect(urlOf(withServers({ a: { listen: [':8080'] } }, { http_port: 8080 }))).to.equal(
      'http://a.example.com:8080/',
    );
    expect(urlOf(withServers({ a: { listen: [':80', ':443'] } }))).to.equal('https://a.example.com/');
    const disabled = { listen: ['127.0.0.1:443'], automatic_https: { disable: true } };
    expect(urlOf(withServers({ a: disabled }))).to.equal('http://a.example.com:443/');
    expect(urlOf(withServers({ a: { ...disabled, tls_connection_policies: [{}] } }))).to.equal(
      'https://a.example.com/',
    );
    expect(urlOf(withServers({ a: { listen: ['unix//run/a.sock'] } }))).to.equal('a.example.com on unix//run/a.sock');
    expect(urlOf({})).to.equal('https://a.example.com/');
  });

  it('siteUrl uses HTTPS for a catch-all site if another route has a host', () => {
    const routes = [{ match: [{ host: ['b.example.com'] }] }];
    expect(urlOf(withServers({ a: { listen: ['10.0.0.1:8443'], routes } }), '')).to.equal('https://10.0.0.1:8443/');
  });

  it('withSite inserts the new route before the catch-all route', () => {
    const document = withServers({
      main: { listen: [':443'], routes: [{ match: [{ host: ['b'] }] }, { handle: [] }] },
    });
    const routes = valueAt(withSite(document, site), ['apps', 'http', 'servers', 'main', 'routes']) as readonly Json[];
    expect(routes.length).to.equal(3);
    expect(valueAt(routes, [1, 'match', 0, 'host'])).to.deep.equal(['a.example.com']);
  });

  it('withSite creates a server on the HTTPS port if there is none', () => {
    const document = withSite({ apps: { http: { https_port: 8443 } } }, site);
    expect(siteServersOf(document).map(({ key, listen }) => [key, listen])).to.deep.equal([['main', [':8443']]]);
  });

  it('withSite writes internationalized host names in ASCII', () => {
    const document = withSite({}, { ...site, host: 'bücher.example' });
    const match = valueAt(document, ['apps', 'http', 'servers', 'main', 'routes', 0, 'match']);
    expect(match).to.deep.equal([{ host: ['xn--bcher-kva.example'] }]);
  });

  it('earlierRoute finds an earlier route for the same host', () => {
    const routes = [{ match: [{ host: ['b'], path: ['/x'] }] }, { match: [{ host: ['A.example.com'] }] }];
    const document = withServers({ main: { listen: [':443'], routes } });
    expect(earlierRoute(document, site)).to.equal(1);
    expect(earlierRoute(document, { ...site, host: 'b' })).to.equal(null);
  });

  it('hostProblem accepts host names and rejects everything else', () => {
    for (const host of [
      '',
      'a.example.com',
      '*.example.com',
      'localhost',
      '10.0.0.1',
      '::1',
      'a_b.example',
      'bücher.example',
      '{env.HOST}',
      'a, b c',
    ])
      expect([host, hostProblem(host)]).to.deep.equal([host, null]);
    for (const host of ['http://a', 'a/b', 'a:80', 'a..b', '-a', 'a-', 'a b!', '*a.example', 'x'.repeat(64), '"'])
      expect([host, hostProblem(host) === null]).to.deep.equal([host, false]);
  });

  it('addressesProblem and targetProblem reject upstreams without a port and relative redirects', () => {
    expect(addressesProblem('localhost:3000 [::1]:80 unix//run/a.sock')).to.equal(null);
    for (const address of ['localhost', 'http://a:80', 'a:99999', 'a:0'])
      expect([address, addressesProblem(address) === null]).to.deep.equal([address, false]);
    expect(targetProblem('redirect', 'https://example.com')).to.equal(null);
    expect(targetProblem('redirect', 'example.com')).to.be.a('string');
    expect(targetProblem('files', 'anything')).to.equal(null);
  });
});
