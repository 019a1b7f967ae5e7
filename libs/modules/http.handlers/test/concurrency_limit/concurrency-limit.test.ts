import { expect } from 'chai';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger, type Json, type JsonObject } from '@sluice/base';
import { httpApp, httpHandlers, type Exchange } from '@sluice/http-app';
import { defineModule, options, type Registry, type Token } from '@sluice/registry';
import { Metrics, metricsToken } from '@sluice/telemetry';
import { asCaddyfile, fromCaddyfile, serve, withRoutes, type TestServer } from '@sluice/testing';
import { register } from '@sluice/http.handlers';
import { limitedInFlight, limitedRequests } from '../../src/concurrency_limit/metrics.ts';

/** A handler that responds after the test opens its gate. */
class Gate {
  readonly open: (() => void)[] = [];
  readonly arrived: string[] = [];

  readonly register = (registry: Registry): void =>
    void registry.add(
      defineModule(httpHandlers, {
        name: 'gate',
        help: 'Waits for the test.',
        config: options({}),
        provision: () => ({
          handle: async (exchange: Exchange) => {
            this.arrived.push(exchange.path);
            await new Promise<void>((resolve) => this.open.push(resolve));
            exchange.response.end('served');
          },
        }),
      }),
    );

  next(): void {
    this.open.shift()?.();
  }
}

describe('http.handlers.concurrency_limit', () => {
  let gate: Gate;
  let metrics: Metrics;
  let server: TestServer | null = null;
  afterEach(async () => {
    for (const open of gate.open.splice(0)) open();
    await server?.close();
    server = null;
  });

  const limited = (limit: JsonObject, more: JsonObject = {}): Json =>
    withRoutes([{ handle: [{ handler: 'concurrency_limit', ...limit }, { handler: 'gate' }] }], more);

  async function start(config: Json): Promise<TestServer> {
    gate = new Gate();
    metrics = new Metrics();
    return (server = await serve(config, {
      register: [register, gate.register],
      services: new Map<Token<unknown>, unknown>([[metricsToken, metrics]]),
      log: silentLogger,
    }));
  }

  async function arrived(count: number): Promise<void> {
    const end = performance.now() + 3000;
    while (gate.arrived.length < count && performance.now() < end) await sleep(1);
    expect(gate.arrived).to.have.length(count);
  }

  const waiting = (): number => {
    metrics.snapshot();
    return metrics.family(limitedInFlight).with('a', 'waiting').value;
  };
  const count = (name: string, result: string): number => metrics.family(limitedRequests).with(name, result).value;

  it('concurrency_limit queues requests over the limit, and serves them in order', async () => {
    const made = await start(limited({ name: 'a', max: 1, queue: 2 }));
    const sent = ['/1', '/2', '/3'].map((path) => made.request({ path }));
    await arrived(1);
    const rejected = await made.request('/4');
    expect([rejected.status, rejected.headers.get('retry-after')]).to.deep.equal([503, '10']);
    metrics.snapshot();
    const gauge = metrics.family(limitedInFlight);
    expect([gauge.with('a', 'running').value, gauge.with('a', 'waiting').value]).to.deep.equal([1, 2]);
    for (let i = 2; i <= 3; i++) {
      gate.next();
      await arrived(i);
    }
    gate.next();
    expect((await Promise.all(sent)).map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(gate.arrived).to.deep.equal(['/1', '/2', '/3']);
    expect(['admitted', 'queued', 'rejected'].map((result) => count('a', result))).to.deep.equal([1, 2, 1]);
  });

  it('concurrency_limit limits each key separately', async () => {
    const made = await start(limited({ key: '{http.request.header.k}', max: 1, status_code: 429 }));
    const first = [made.request({ headers: { k: 'a' } }), made.request({ headers: { k: 'b' } })];
    await arrived(2);
    const rejected = await made.request({ headers: { k: 'a' } });
    expect([rejected.status, rejected.headers.get('retry-after')]).to.deep.equal([429, '1']);
    gate.next();
    gate.next();
    expect((await Promise.all(first)).map(({ status }) => status)).to.deep.equal([200, 200]);
  });

  it('concurrency_limit rejects a request whose queue timeout expires, and sets a placeholder to the limit', async () => {
    const errors = {
      routes: [
        { handle: [{ handler: 'static_response', status_code: 599, body: '{http.concurrency_limit.exceeded.name}' }] },
      ],
    };
    const made = await start(limited({ name: 'narrow', max: 1, queue: 5, queue_timeout: '30ms' }, { errors }));
    const first = made.request('/');
    await arrived(1);
    const rejected = await made.request('/');
    expect([rejected.status, rejected.text]).to.deep.equal([599, 'narrow']);
    expect(count('narrow', 'timed_out')).to.equal(1);
    gate.next();
    expect((await first).status).to.equal(200);
    const again = made.request('/');
    await arrived(2);
    gate.next();
    expect((await again).status).to.equal(200);
  });

  it('concurrency_limit removes a disconnected client from the queue', async () => {
    const made = await start(limited({ name: 'a', max: 1, queue: 1 }, { listen: ['127.0.0.1:0'] }));
    const address = made.runtime.app(httpApp)?.servers.get('s')?.listeners[0]?.address as AddressInfo;
    const first = made.request('/1');
    await arrived(1);
    const gone = connect(address.port, '127.0.0.1', () => gone.write('GET /gone HTTP/1.1\r\nHost: a\r\n\r\n'));
    while (waiting() === 0) await sleep(5);
    expect((await made.request('/rejected')).status).to.equal(503);
    gone.destroy();
    while (count('a', 'aborted') === 0) await sleep(5);
    expect(waiting()).to.equal(0);
    const next = made.request('/2');
    await sleep(20);
    gate.next();
    await arrived(2);
    gate.next();
    expect([(await first).status, (await next).status]).to.deep.equal([200, 200]);
    expect(gate.arrived).to.deep.equal(['/1', '/2']);
  });

  it('concurrency_limit keeps waiting requests when the configuration changes, and applies the new limit to these requests', async () => {
    const made = await start(limited({ name: 'a', max: 1, queue: 5 }));
    const sent = ['/1', '/2', '/3'].map((path) => made.request({ path }));
    await arrived(1);
    await made.reconciler.load(limited({ name: 'a', max: 1, queue: 5, status_code: 429 }, { errors: { routes: [] } }));
    await sleep(20);
    expect(gate.arrived).to.deep.equal(['/1']);
    sent.push(made.request('/4'));
    await sleep(20);
    await made.reconciler.load(limited({ name: 'a', max: 3, queue: 5 }));
    await arrived(3);
    for (let i = 0; i < 3; i++) gate.next();
    await arrived(4);
    gate.next();
    expect((await Promise.all(sent)).map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    expect(gate.arrived).to.deep.equal(['/1', '/2', '/3', '/4']);
  });

  it('concurrency_limit handlers with the same name share a limit', async () => {
    const route = (path: string): JsonObject => ({
      match: [{ path: [path] }],
      handle: [{ handler: 'concurrency_limit', name: 'both', max: 1 }, { handler: 'gate' }],
    });
    gate = new Gate();
    const { register: matchers } = await import('@sluice/http.matchers');
    server = await serve(withRoutes([route('/a'), route('/b')]), { register: [register, matchers, gate.register] });
    const first = server.request('/a');
    await arrived(1);
    expect((await server.request('/b')).status).to.equal(503);
    gate.next();
    expect((await first).status).to.equal(200);
  });

  it('concurrency_limit releases the slot of a failed request', async () => {
    gate = new Gate();
    const config = withRoutes([
      {
        handle: [
          { handler: 'concurrency_limit', max: 1 },
          { handler: 'error', status_code: 418 },
        ],
      },
    ]);
    server = await serve(config, { register: [register] });
    for (let i = 0; i < 3; i++) expect((await server.request('/')).status).to.equal(418);
  });

  it('concurrency_limit rejects a configuration without a maximum', async () => {
    gate = new Gate();
    const failed = serve(limited({}), { register: [register, gate.register] }).then(
      () => expect.fail('accepted it'),
      ({ message }: Error) => message,
    );
    expect(await failed).to.contain('max');
  });

  it('the concurrency_limit directive sets every option, and precedes basic_auth', async () => {
    gate = new Gate();
    const text = `:80 {
	concurrency_limit /api/* {
		name api
		key {http.request.header.X-Key}
		max 10
		queue 50
		queue_timeout 5s
		status_code 429
	}
	basic_auth {
		bob $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG
	}
	respond hi
}
`;
    const document = await fromCaddyfile(text);
    expect(JSON.stringify(document)).to.contain(
      '{"handler":"concurrency_limit","key":"{http.request.header.X-Key}","max":10,"name":"api","queue":50,"queue_timeout":5000000000,"status_code":429}',
    );
    expect(JSON.stringify(document).indexOf('concurrency_limit')).to.be.lessThan(
      JSON.stringify(document).indexOf('authentication'),
    );
    expect((await asCaddyfile(document)).text).to.equal(text);
  });
});
