import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { silentLogger, type Json } from '@sluice/base';
import { httpHandlers, requestSamplerToken, type HttpHandler } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';
import { serve, type TestServer } from '@sluice/testing';
import { ControlBus } from '@sluice/threads';
import { sampledTopic, type SampledRequest } from '../../src/samples/sample.ts';
import { ThreadSampler } from '../../src/samples/thread-sampler.ts';

/** A handler that reads the body and responds with its length. */
const reads = defineModule(httpHandlers, {
  name: 'reads',
  help: 'Reads the body.',
  config: options({}),
  provision: (): HttpHandler => ({
    async handle(exchange) {
      exchange.response.end(String((await exchange.body.bytes(1_000_000)).length));
    },
  }),
});

/** A handler that changes the request head, as rewrites and header handlers do, and responds. */
const changes = defineModule(httpHandlers, {
  name: 'changes',
  help: 'Changes the head and responds.',
  config: options({}),
  provision: (): HttpHandler => ({
    handle(exchange) {
      exchange.headers.set('x-added', '1');
      exchange.headers.delete('accept');
      exchange.rawPath = '/changed';
      exchange.method = 'PUT';
      exchange.response.writeHead(201);
      exchange.response.end('ok');
    },
  }),
});

interface Recorded {
  readonly route: string;
  readonly request: { readonly method: string; readonly path: string; readonly headers: Json };
  readonly response: { readonly status: number };
}

describe('ThreadSampler', () => {
  let server: TestServer;
  let sampled: SampledRequest[];
  let sampler: ThreadSampler;

  async function start(samples: Json, handler = 'changes'): Promise<void> {
    const bus = new ControlBus(silentLogger);
    sampled = [];
    bus.onReport(sampledTopic, (message) => sampled.push(message));
    sampler = new ThreadSampler(bus, () => 0.5);
    const routes = [{ handle: [{ handler }] }];
    server = await serve(
      { apps: { http: { samples, servers: { s: { routes } } } } },
      { register: [(registry) => registry.add(changes, reads)], services: new Map([[requestSamplerToken, sampler]]) },
    );
  }
  afterEach(() => server.close());

  const records = (): Recorded[] => sampled.map(({ record }) => JSON.parse(record) as Recorded);

  it('ThreadSampler records the request head as the client sent it, not as handlers changed it', async () => {
    await start({});
    await server.request({ path: '/a%20b', headers: { accept: 'x', 'x-api-key': 'secret' } });
    expect(records()).to.have.length(1);
    expect(records()[0]?.request).to.deep.include({
      method: 'GET',
      path: '/a%20b',
      headers: { accept: ['x'], 'x-api-key': ['REDACTED'] },
    });
    expect(records()[0]?.response.status).to.equal(201);
    expect(records()[0]?.route).to.match(/routes\[0\]$/);
  });

  it('ThreadSampler samples few requests under load, and samples the next request when traffic drops', async () => {
    await start({ per_route: 1000 });
    for (let i = 0; i < 3000; i++) await server.request('/');
    const { length } = sampled;
    expect(length).to.be.greaterThan(5).and.lessThan(1000);
    await sleep(300);
    const before = sampled.length;
    await server.request('/rare');
    expect(sampled.length).to.equal(before + 1);
  });

  it('ThreadSampler keeps a random sample for a route with more requests than its limit', async () => {
    await start({ per_route: 2 });
    for (let i = 0; i < 8; i++) {
      sampler.left = 1;
      await server.request('/');
    }
    // Three requests are sampled: the first two unconditionally, and the third because 0.5 × 3 < 2. The fourth is not sampled, because 0.5
    // × 4 ≥ 2.
    expect(sampled).to.have.length(3);
  });

  it('ThreadSampler skips requests whose head is too long to record completely', async () => {
    await start({});
    await server.request({ headers: { 'x-long': 'x'.repeat(2000) } });
    sampler.left = 1;
    await server.request(`/${'x'.repeat(3000)}`);
    expect(sampled).to.deep.equal([]);
    sampler.left = 1;
    await server.request({ headers: { cookie: 'x'.repeat(2000) } });
    expect(sampled).to.have.length(1);
  });

  const post = (type: string, ...pieces: string[]) =>
    server
      .request({ method: 'POST', headers: { 'content-type': type }, pieces })
      .finally(() => void (sampler.left = 1));
  const bodies = (): unknown[] =>
    records().map(({ request }) => (request as typeof request & { readonly body?: unknown }).body);

  it('ThreadSampler records no bodies by default', async () => {
    await start({}, 'reads');
    expect((await post('text/plain', 'hello')).text).to.equal('5');
    expect(bodies()).to.deep.equal([undefined]);
  });

  it('ThreadSampler records text and JSON bodies up to the limit, without secrets, and handlers still receive the whole body', async () => {
    await start({ max_body: 60 }, 'reads');
    await post('text/plain', 'hel', 'lo');
    await post('application/json; charset=utf-8', '{"user": "a", "password": "geheim"}');
    await post('application/json', '{ "user": "a" }');
    await post('application/x-www-form-urlencoded', 'user=a&pin=1234');
    await post('application/octet-stream', 'binary');
    expect((await post('text/plain', 'x'.repeat(40), 'x'.repeat(40))).text).to.equal('80');
    await post('application/json', '{"password": "geheim"');
    expect(bodies()).to.deep.equal([
      'hello',
      '{"user":"a","password":"REDACTED"}',
      '{ "user": "a" }',
      'user=a&pin=REDACTED',
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('ThreadSampler records other kinds of bodies if requested', async () => {
    await start({ max_body: 50, all_bodies: true }, 'reads');
    await post('application/octet-stream', 'binary');
    expect(bodies()).to.deep.equal([{ base64: Buffer.from('binary').toString('base64') }]);
  });

  it('ThreadSampler records no requests while disabled', async () => {
    await start({ disable: true });
    await server.request('/');
    expect(sampled).to.deep.equal([]);
    expect(sampler.left).to.equal(Number.POSITIVE_INFINITY);
  });

  for (const [samples, message] of [
    [{ per_route: 0 }, /samples\.per_route: must be from 1 to 1000; to disable recording, set disable/],
    [{ max_body: 100_000 }, /samples\.max_body: must be from 0 to 65536; 0 = no bodies/],
    [{ max_requests: 1_000_000 }, /samples\.max_requests: must be from 1 to 100000/],
  ] as const)
    it(`ThreadSampler rejects the settings ${JSON.stringify(samples)}`, async () => {
      await start({});
      const rejected = server.reconciler.change(() => ({ apps: { http: { samples } } }));
      expect(await rejected.then(() => '', String)).to.match(message);
    });
});
