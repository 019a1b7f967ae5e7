import { expect } from 'chai';
import type { Json } from '@sluice/base';
import type { ExplainRequest } from '@sluice/http-analysis';
import { explainRoutes } from './support.ts';

const url = 'http://a.example/';
const client = '192.0.2.9';

describe('responses in explanations', () => {
  const respond = async (options: object, request: Partial<ExplainRequest> = {}): Promise<Json> => {
    const routes = [{ handle: [{ handler: 'static_response', ...options }] }];
    const { outcome } = await explainRoutes(routes, { url, client, ...request });
    const { status, headers, body, size } = outcome;
    return { status, headers, body, size };
  };

  it('an explained response has the fields that the server adds', async () => {
    const routes = [{ handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: '10.0.0.1:80' }] }] }];
    const { outcome } = await explainRoutes(routes, { url, client, responses: [{ body: '<html></html>' }] });
    expect(outcome).to.deep.include({ status: 200, body: '<html></html>', size: 13 });
    expect(outcome.headers).to.deep.equal({
      via: ['1.1 Caddy'],
      'content-type': ['text/html; charset=utf-8'],
      'content-length': ['13'],
    });
    expect(await respond({ body: 'text' })).to.deep.include({
      headers: { server: ['Sluice'], 'content-type': ['text/plain; charset=utf-8'], 'content-length': ['4'] },
    });
  });

  // RFC 9110 §6.4.1
  for (const [what, options, request, headers] of [
    ['HEAD', { body: 'text' }, { method: 'HEAD' }, { 'content-length': ['4'] }],
    ['HEAD over HTTP/2', { body: 'text' }, { method: 'HEAD', protocol: 'HTTP/2.0' }, { 'content-length': ['4'] }],
    ['status 204', { body: 'text', status_code: 204 }, {}, {}],
    ['status 304', { body: 'text', status_code: 304 }, {}, {}],
    ['status 205 over HTTP/2', { body: 'text', status_code: 205 }, { protocol: 'HTTP/2.0' }, {}],
  ] as const)
    it(`an explained response has no body for ${what}`, async () => {
      const reported = (await respond(options, request)) as { headers: object; body: unknown; size: unknown };
      expect([reported.body, reported.size]).to.deep.equal([null, 0]);
      const { 'content-length': length } = reported.headers as Record<string, unknown>;
      expect(length).to.deep.equal((headers as Record<string, unknown>)['content-length']);
    });

  it('an explained response is the final response, not an interim response', async () => {
    expect(await respond({ status_code: 103, headers: { Link: ['</a>'] } })).to.deep.include({ status: 200, size: 0 });
  });

  it('an explained response contains null for values that depend on an unknown request property, and names the property', async () => {
    const routes = [
      {
        handle: [
          { handler: 'headers', response: { set: { 'X-Client': ['{http.request.remote.host}'], 'X-A': ['b'] } } },
        ],
      },
      { handle: [{ handler: 'static_response', body: 'you are {http.request.remote.host}' }] },
    ];
    const unknown = await explainRoutes(routes, { url });
    expect(unknown.outcome.headers).to.deep.include({ 'x-client': null, 'x-a': ['b'] });
    expect(unknown.outcome).to.include({ status: 200, body: null });
    expect(unknown.outcome.depends_on).to.deep.equal(['client address']);
    const known = await explainRoutes(routes, { url, client });
    expect(known.outcome).to.deep.include({ body: `you are ${client}`, depends_on: [] });
  });

  it('an explained response has an unknown body if the same handler responds under different assumptions but with different bodies', async () => {
    const routes = [
      { match: [{ remote_ip: { ranges: ['10.0.0.0/8'] } }], handle: [{ handler: 'vars', from: 'inside' }] },
      { handle: [{ handler: 'static_response', body: '{http.vars.from}' }] },
    ];
    const { outcome, paths } = await explainRoutes(routes, { url });
    expect(paths.map((path) => path.outcome.body)).to.have.members([null, 'inside']);
    expect(outcome).to.include({ kind: 'response', status: 200, body: null, size: null });
    expect(outcome.depends_on).to.deep.equal(['client address']);
  });
});

describe('upstream requests in explanations', () => {
  const dial = '10.0.0.1:80';
  const proxy = (options: object = {}): Json => ({ handler: 'reverse_proxy', upstreams: [{ dial }], ...options });

  it('explain shows no upstream request if the request body exceeds a limit', async () => {
    const routes = [{ handle: [{ handler: 'request_body', max_size: 3 }, proxy()] }];
    const { outcome } = await explainRoutes(routes, { url, client, method: 'POST', body: 'four' });
    expect(outcome).to.include({ kind: 'error', status: 413, sends: null });
  });

  it('explain reports no upstream if an error route proxies a request whose body exceeds a limit', async () => {
    const routes = [{ handle: [{ handler: 'request_body', max_size: 3 }, { handler: 'static_response' }] }];
    const server = { errors: { routes: [{ handle: [proxy()] }] } };
    const { outcome } = await explainRoutes(routes, { url, client, method: 'POST', body: 'four' }, server);
    expect(outcome).to.include({ status: 413, sends: null, upstream: null });
  });

  it('explain reports both values of X-Forwarded-Proto if it is unknown whether the peer is trusted', async () => {
    const routes = [{ handle: [proxy({ trusted_proxies: ['10.0.0.0/8'] })] }];
    const headers = { 'X-Forwarded-Proto': 'https' };
    const { outcome, paths } = await explainRoutes(routes, { url, headers });
    expect(
      paths.map((path) => (path.outcome.sends?.['headers'] as Record<string, Json> | undefined)?.['x-forwarded-proto']),
    ).to.deep.equal([['http'], ['https']]);
    expect(outcome.sends?.['headers']).to.deep.include({ 'x-forwarded-proto': null });
    expect(
      (await explainRoutes(routes, { url, headers, client: '10.0.0.7' })).outcome.sends?.['headers'],
    ).to.deep.include({
      'x-forwarded-proto': ['https'],
    });
  });

  it('explain shows the last of several attempts as the upstream request', async () => {
    const routes = [
      {
        handle: [proxy({ handle_response: [{ routes: [{ handle: [{ handler: 'reverse_proxy', upstreams: [] }] }] }] })],
      },
    ];
    const { outcome } = await explainRoutes(routes, { url, client, responses: [{ status: 200 }] });
    expect(outcome).to.deep.include({ status: 503, sends: null });
    expect(outcome.upstream).to.include({ address: null });
  });

  it('explain assumes that a second proxy has no request body left to send', async () => {
    const second = proxy({ upstreams: [{ dial: '10.0.0.2:80' }] });
    const routes = [{ handle: [proxy({ handle_response: [{ routes: [{ handle: [second] }] }] })] }];
    const responses = [{ upstream: dial, status: 200 }];
    const { outcome } = await explainRoutes(routes, { url, client, method: 'POST', body: 'text', responses });
    expect(outcome.sends).to.include({ to: '10.0.0.2:80' });
    expect(outcome.sends?.['headers']).to.include.keys('transfer-encoding').and.not.include.keys('content-length');
  });

  it('explain shows that a request with a body is sent to another upstream after a refused connection', async () => {
    const selection = { retries: 1, selection_policy: { policy: 'first' } };
    const upstreams = [{ dial }, { dial: '10.0.0.2:80' }];
    const routes = [{ handle: [proxy({ upstreams, load_balancing: selection })] }];
    const responses = [{ upstream: dial, error: 'refused' as const }, { status: 201 }];
    const { outcome } = await explainRoutes(routes, { url, client, method: 'POST', body: 'text', responses });
    expect(outcome).to.include({ kind: 'response', status: 201 });
    expect(outcome.upstream).to.include({ address: '10.0.0.2:80' });
  });

  it('explain shows the body length even if the content is unknown', async () => {
    const fieldsOf = async (headers: Record<string, string>): Promise<unknown> =>
      (await explainRoutes([{ handle: [proxy()] }], { url, client, method: 'POST', headers })).outcome.sends?.[
        'headers'
      ];
    expect(await fieldsOf({ 'Content-Length': '7' })).to.deep.include({ 'content-length': ['7'] });
    expect(await fieldsOf({ 'Transfer-Encoding': 'chunked' })).to.deep.include({ 'transfer-encoding': ['chunked'] });
  });
});
