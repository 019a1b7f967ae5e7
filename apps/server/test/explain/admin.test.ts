import { expect } from 'chai';
import { serve, withRoutes, type TestServer } from '@sluice/testing';

describe('POST /explain', () => {
  let server: TestServer;

  before(async () => {
    server = await serve(
      withRoutes([{ match: [{ path: ['/a'] }], handle: [{ handler: 'static_response', body: 'a' }] }]),
      { register: [], standard: true },
    );
  });

  after(() => server.close());

  const ask = (body: string) => server.admin('/explain', { body, headers: { 'content-type': 'application/json' } });

  it('POST /explain explains how a request is handled', async () => {
    const response = await ask('{"url":"http://x.example/a"}');
    expect(response.status).to.equal(200);
    expect(response.json()).to.have.nested.property('outcome.route', 'apps.http.servers.s.routes[0]');
  });

  for (const [what, body, status, text] of [
    ['that is not JSON', '{', 400, 'body'],
    ['without a URL', '{}', 400, 'request.url'],
    ['with an invalid URL', '{"url":"/a"}', 400, 'url'],
    ['with an incomplete percent-encoding in the path', '{"url":"http://x/%2"}', 400, 'url'],
    ['with an unknown key', '{"url":"http://x/","uri":"/"}', 400, 'request.uri'],
    ['with a client that is not an IP address', '{"url":"http://x/","client":"me"}', 400, 'request.client'],
    ['with a malformed response', '{"url":"http://x/","responses":[{"status":"200"}]}', 400, 'responses[0].status'],
    ['for an unknown server', '{"url":"http://x/","server":"t"}', 404, '"s"'],
    ['of more than 64 KiB', JSON.stringify({ url: 'http://x/', body: 'x'.repeat(65_536) }), 413, '65536'],
  ] as const)
    it(`POST /explain rejects a request ${what}`, async () => {
      const response = await ask(body);
      expect(response.status).to.equal(status);
      expect(response.json()).to.have.property('error').that.contains(text);
    });

  it('POST /explain explains recently recorded requests, and returns an empty list if nothing was recorded', async () => {
    expect((await server.admin('/explain?last=5', { method: 'POST' })).json()).to.deep.equal({ requests: [] });
    expect((await server.admin('/explain?last=x', { method: 'POST' })).status).to.equal(400);
    const both = await server.admin('/explain?last=5', { method: 'POST', body: '{"url":"http://a/"}' });
    expect([both.status, both.text.includes('omit either the body')]).to.deep.equal([400, true]);
  });

  it('POST /explain treats redacted values as unknown', async () => {
    const routes = [
      { match: [{ header: { Cookie: ['sid=1'] } }], handle: [{ handler: 'static_response', body: 'in' }] },
    ];
    const own = await serve(withRoutes(routes), { register: [], standard: true });
    try {
      for (const hidden of ['***', 'REDACTED']) {
        const json = { url: 'http://x.example/', headers: { Cookie: hidden } };
        expect((await own.admin('/explain', { json })).json()).to.deep.include({ unknown: ['header cookie'] });
        expect((await own.admin('/explain/test', { json })).text).to.include('provide header cookie');
      }
    } finally {
      await own.close();
    }
  });

  it('POST /explain creates test cases from given and recorded requests', async () => {
    const made = await server.admin('/explain/test', { json: { url: 'http://x.example/a' } });
    const request = { url: 'http://x.example/a' };
    const expected = { status: 200, body: 'a', route: 'apps.http.servers.s.routes[0]' };
    expect(made.json()).to.have.deep.nested.property('cases[0].request', request);
    expect(made.json()).to.have.nested.property('cases[0].expect').that.deep.includes(expected);
    const trace = {
      server: 's',
      request: { method: 'GET', proto: 'HTTP/1.1', host: 'x.example', path: '/a', query: null, tls: null, headers: {} },
      response: { status: 200 },
    };
    const client = { client_ip: '192.0.2.7', remote_port: 5000 };
    const known = { ...trace, request: { ...trace.request, ...client } };
    const recorded = await server.admin('/explain/test', { json: { trace: known } });
    expect(recorded.json()).to.have.nested.property('cases[0].request.client', '192.0.2.7:5000');
    const moved = await server.admin('/explain/test', { json: { trace: { ...known, response: { status: 404 } } } });
    expect(moved.json()).to.deep.include({ cases: [] });
    expect(moved.text).to.include('it would now get 200, but got 404 when it was recorded');
    for (const json of [{ trace: 1 }, { url: '/a' }, { url: 'http://x/', time: '2026-01-01T00:00:00Z' }])
      expect((await server.admin('/explain/test', { json })).status).to.equal(400);
  });

  it('POST /explain lists requests that another configuration would handle differently', async () => {
    const a = { match: [{ path: ['/a'] }], handle: [{ handler: 'static_response', body: 'a' }] };
    const b = { match: [{ path: ['/b'] }], handle: [{ handler: 'static_response', status_code: 404 }] };
    const logging = { logs: { default: { writer: { output: 'discard' } } } };
    const config = { logging, ...(withRoutes([b, a]) as object) };
    const requests = ['/a', '/b', '/c'].map((path) => ({ url: `http://x.example${path}` }));
    const response = await server.admin('/explain/plan', { json: { config, requests } });
    const plan = response.json() as { compared: number; elsewhere: { request: { url: string }; what: string[] }[] };
    expect(plan.compared).to.equal(3);
    expect(plan.elsewhere.map(({ request, what }) => [request.url, what])).to.deep.equal([
      ['http://x.example/b', ['route', 'status']],
    ]);
    expect((await server.request('/b')).status).to.equal(200);
    const broken = await server.admin('/explain/plan', { json: { config: { apps: { http: { servers: 1 } } } } });
    expect(broken.status).to.equal(400);
  });
});
