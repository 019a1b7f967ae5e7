import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { httpHandlers, ResponseFilter } from '@sluice/http-app';
import { defineModule, options, type Registry } from '@sluice/registry';
import { serve, withRoutes, type TestResponse } from '@sluice/testing';
import { readUpstreams } from './admin.ts';
import { packages, responding, Opened, proxyTo, serving } from './support.ts';

const received = 'HTTP/1.1 503 No\r\nX-A: 1\r\nX-B: 2\r\nContent-Type: t/t\r\nContent-Length: 4\r\n\r\nbusy';
const show = (body: string): JsonObject => ({ handler: 'static_response', body });

/** A filter that throws when the response head is written. */
class FailingFilter extends ResponseFilter {
  override writeHead(): void {
    throw new Error('the filter has failed');
  }
}

const failingFilter = defineModule(httpHandlers, {
  name: 'failing_filter',
  help: 'Makes responses fail.',
  config: options({}),
  provision: () => ({
    handle(exchange, next) {
      exchange.response = new FailingFilter(exchange.response);
      return next(exchange);
    },
  }),
});

describe('http.handlers.reverse_proxy: handle_response', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  async function through(
    entries: readonly JsonObject[],
    behind: readonly JsonObject[] = [],
    server: JsonObject = {},
  ): Promise<TestResponse> {
    const upstream = opened.add(await responding(received));
    const proxy = opened.add(await serving([proxyTo(upstream.dial, { handle_response: entries }), ...behind], server));
    const response = await proxy.request('/p');
    expect((await readUpstreams(proxy))[0]).to.include({ num_requests: 0 });
    return response;
  }

  const routes = (...handle: readonly JsonObject[]): JsonObject => ({ routes: [{ handle }] });

  const cases: readonly [what: string, entries: readonly JsonObject[], status: number, text: string][] = [
    ['replaces the status', [{ match: { status_code: [5] }, status_code: 418 }], 418, 'busy'],
    [
      'returns 500 if a placeholder for the status has no value',
      [{ status_code: '{http.request.header.none}' }],
      500,
      '',
    ],
    ['forwards a response that no entry matches', [{ match: { status_code: [2] }, status_code: 418 }], 503, 'busy'],
    [
      'runs the first matching entry',
      [
        { match: { headers: { 'X-A': ['2'] } }, status_code: 400 },
        { match: { headers: { 'X-A': ['1'] } }, status_code: 401 },
        { status_code: 402 },
      ],
      401,
      'busy',
    ],
    [
      'runs routes instead of forwarding the response',
      [
        routes(
          show(
            '{http.reverse_proxy.status_code} {http.reverse_proxy.status_text} {http.reverse_proxy.header.X-A} {http.request.uri}',
          ),
        ),
      ],
      200,
      '503 503 Service Unavailable 1 /p',
    ],
    ['forwards the response with copy_response', [routes({ handler: 'copy_response' }, show('never'))], 503, 'busy'],
    [
      'forwards the response with the status_code of copy_response',
      [routes({ handler: 'copy_response', status_code: 201 })],
      201,
      'busy',
    ],
    [
      'returns 500 for an invalid status_code of copy_response',
      [routes({ handler: 'copy_response', status_code: 'x' })],
      500,
      '',
    ],
    ['sends an empty response if its routes write nothing', [routes()], 200, ''],
  ];
  for (const [what, entries, status, text] of cases) {
    it(`handle_response ${what}`, async () => expect(await through(entries)).to.include({ status, text }));
  }

  it('handle_response continues with the handler chain if its routes do not respond', async () => {
    expect(await through([{}], [show('behind')])).to.include({ status: 200, text: 'behind' });
  });

  it('copy_response_headers copies fields by name', async () => {
    const copies: readonly [options: JsonObject, expected: readonly (string | undefined)[]][] = [
      [{}, ['1', '2', 't/t']],
      [{ include: ['x-a'] }, ['1', undefined, 'text/plain; charset=utf-8']],
      [{ exclude: ['X-A', 'content-type'] }, [undefined, '2', 'text/plain; charset=utf-8']],
    ];
    for (const [options, expected] of copies) {
      const response = await through([routes({ handler: 'copy_response_headers', ...options }, show('own body'))]);
      expect(response.text).to.equal('own body');
      expect(['x-a', 'x-b', 'content-type'].map((name) => response.headers.get(name))).to.deep.equal(expected);
      expect(response.headers.has('content-length')).to.equal(false);
    }
  });

  it('errors of handle_response routes go to error routes', async () => {
    const errors = { routes: [{ handle: [show('caught {http.error.status_code}')] }] };
    const response = await through([routes({ handler: 'error', status_code: 404 })], [], { errors });
    expect(response).to.include({ status: 404, text: 'caught 404' });
  });

  it('copy_response returns 500 if there is no response to copy', async () => {
    for (const handler of ['copy_response', 'copy_response_headers']) {
      expect((await opened.add(await serving([{ handler }])).request('/')).status).to.equal(500);
    }
  });

  it('reverse_proxy fails the request if a response filter fails during copy_response, even if the routes handle the error', async () => {
    const copy = { handler: 'copy_response' };
    const handled = { handler: 'subroute', routes: [{ handle: [copy] }], errors: { routes: [{ handle: [] }] } };
    for (const handler of [copy, handled]) {
      const upstream = opened.add(await responding(received));
      const proxy = proxyTo(upstream.dial, { handle_response: [routes({ handler: 'failing_filter' }, handler)] });
      const register = [...packages.register, (registry: Registry) => registry.add(failingFilter)];
      const server = opened.add(await serve(withRoutes([{ handle: [proxy] }]), { register }));
      expect(await server.request('/p')).to.include({ status: 500 });
      expect((await readUpstreams(server))[0]).to.include({ num_requests: 0 });
    }
  });
});
