import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import type { Json, JsonObject } from '@sluice/base';
import { Metrics, metricsToken } from '@sluice/telemetry';
import { serve, withRoutes, type TestServer } from '@sluice/testing';
import { mirrorRequests } from '../../src/mirror/metrics.ts';
import {
  deadAddress,
  echoUpstream,
  httpUpstream,
  listeningServer,
  Opened,
  packages,
  proxyTo,
  rawUpstream,
  until,
} from '../reverse_proxy/support.ts';

/** A mirrored request as received by the mirror. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

describe('http.handlers.mirror', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  const mirrorTo = (dial: string, options: JsonObject = {}): JsonObject => ({
    handler: 'mirror',
    upstreams: [{ dial }],
    ...options,
  });

  /** Starts an upstream that records requests. It responds with text that clients must never receive. */
  async function recorder(): Promise<{ readonly dial: string; readonly received: Received[] }> {
    const received: Received[] = [];
    const { dial } = opened.add(
      await httpUpstream((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const { method = '', url = '', headers } = request;
          received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
          response.end('shadow');
        });
      }),
    );
    return { dial, received };
  }

  interface Mirrored extends TestServer {
    count(result: string): number;
  }

  async function mirrored(handlers: readonly JsonObject[]): Promise<Mirrored> {
    const metrics = new Metrics();
    const services = new Map([[metricsToken, metrics]]);
    const server = opened.add(await serve(withRoutes([{ handle: handlers as Json }]), { ...packages, services }));
    return { ...server, count: (result) => metrics.family(mirrorRequests).with(result).value };
  }

  it('a mirror sends a copy with the header fields of a proxied request, and discards the response to the copy', async () => {
    const { dial, received } = await recorder();
    const { dial: main } = opened.add(await echoUpstream());
    const server = await mirrored([
      mirrorTo(dial, { headers: { request: { set: { 'X-Shadow': ['1'] } } } }),
      { handler: 'rewrite', uri: '/later?' },
      proxyTo(main),
    ]);
    const { status, text } = await server.request({
      method: 'POST',
      path: '/a%20b?c=1',
      host: 'site.example',
      headers: {
        'X-A': 'b',
        Connection: 'X-Hop',
        'X-Hop': '1',
        'Transfer-Encoding': 'chunked',
        Expect: '100-continue',
      },
      pieces: ['one', 'two'],
    });
    expect([status, (JSON.parse(text) as { url: string; body: string }).url]).to.deep.equal([200, '/later']);
    expect((JSON.parse(text) as { body: string }).body).to.equal('onetwo');
    await until(() => server.count('success') === 1);
    expect(received).to.have.length(1);
    const [copy] = received;
    expect(copy).to.include({ method: 'POST', url: '/a%20b?c=1', body: 'onetwo' });
    expect(copy?.headers).to.include({
      host: 'site.example',
      'x-a': 'b',
      'x-shadow': '1',
      'content-length': '6',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'site.example',
      via: '1.1 Caddy',
    });
    expect(copy?.headers).to.not.have.any.keys('x-hop', 'expect', 'transfer-encoding');
  });

  it('a mirror copies requests to which another handler responds, including buffered request bodies', async () => {
    const { dial, received } = await recorder();
    const server = await mirrored([
      mirrorTo(dial, { rewrite: { method: 'PUT', uri: '/shadow{http.request.uri.path}' } }),
      { handler: 'static_response', body: 'hello {http.request.body}' },
    ]);
    expect((await server.request({ path: '/x', method: 'POST', body: 'world' })).text).to.equal('hello world');
    await until(() => server.count('success') === 1);
    expect(received[0]).to.include({ method: 'PUT', url: '/shadow/x', body: 'world' });
  });

  it('a mirror that does not respond does not delay requests, and drops copies when its queue is full', async () => {
    const hanging = opened.add(await rawUpstream(() => undefined));
    const { dial: main } = opened.add(await echoUpstream());
    const server = await mirrored([mirrorTo(hanging.dial, { max_concurrent: 3 }), proxyTo(main)]);
    for (let turn = 0; turn < 20; turn++) expect((await server.request('/')).status).to.equal(200);
    // All responses have arrived although the mirror has not responded to any mirrored request.
    expect(server.count('full')).to.equal(17);
    await until(() => hanging.received.length === 3);
    expect(server.count('success') + server.count('error') + server.count('timeout')).to.equal(0);
  });

  it('the mirror handler cancels a mirrored request after the timeout, and can then send another one', async () => {
    const hanging = opened.add(await rawUpstream(() => undefined));
    const server = await mirrored([
      mirrorTo(hanging.dial, { max_concurrent: 1, timeout: '30ms' }),
      { handler: 'static_response', body: 'hello' },
    ]);
    await server.request('/');
    await until(() => server.count('timeout') === 1);
    await server.request('/');
    await until(() => server.count('timeout') === 2);
    expect(server.count('full')).to.equal(0);
  });

  it('a mirror that is unreachable or has an empty address does not fail requests', async () => {
    const server = await mirrored([
      mirrorTo(await deadAddress()),
      mirrorTo('{http.vars.none}:80'),
      { handler: 'mirror' },
      { handler: 'static_response', body: 'hello' },
    ]);
    for (let turn = 0; turn < 5; turn++) expect((await server.request('/')).text).to.equal('hello');
    await until(() => server.count('error') === 15);
  });

  it('a mirror does not change the error of a later handler, and still sends the copy', async () => {
    const { dial, received } = await recorder();
    const server = await mirrored([mirrorTo(dial), { handler: 'error', status_code: 418 }]);
    expect((await server.request('/')).status).to.equal(418);
    await until(() => received.length === 1);
  });

  it('a mirror does not copy a body above max_body_size, but the upstream still receives the complete body', async () => {
    const { dial, received } = await recorder();
    const { dial: main } = opened.add(await echoUpstream());
    const server = await mirrored([mirrorTo(dial, { max_body_size: 5 }), proxyTo(main)]);
    const bodyOf = async (request: JsonObject): Promise<unknown> => {
      const { text } = await server.request({ method: 'POST', ...request });
      return (JSON.parse(text) as { body: unknown }).body;
    };
    expect(await bodyOf({ pieces: ['abc', 'def', 'ghi'] })).to.equal('abcdefghi');
    expect(await bodyOf({ body: 'abcdef' })).to.equal('abcdef');
    expect(server.count('too_large')).to.equal(2);
    expect(await bodyOf({ pieces: ['ab', 'cde'] })).to.equal('abcde');
    await until(() => server.count('success') === 1);
    expect(received.map(({ body }) => body)).to.deep.equal(['abcde']);
  });

  it('a mirror does not copy upgrades, gRPC calls or event streams', async () => {
    const { dial, received } = await recorder();
    const server = await mirrored([mirrorTo(dial), { handler: 'static_response' }]);
    await server.request({ headers: { Connection: 'Upgrade', Upgrade: 'websocket' } });
    await server.request({ method: 'POST', headers: { 'Content-Type': 'application/grpc+proto' }, pieces: ['x'] });
    await server.request({ headers: { Accept: 'text/event-stream' } });
    expect(server.count('skipped')).to.equal(3);
    expect(received).to.deep.equal([]);
  });

  it('a mirror cancels a copy whose response is an event stream', async () => {
    let closed = 0;
    const { dial } = opened.add(
      await httpUpstream((request, response) => {
        request.socket.on('close', () => closed++);
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
      }),
    );
    const server = await mirrored([mirrorTo(dial), { handler: 'static_response' }]);
    await server.request('/');
    await until(() => server.count('success') === 1 && closed === 1);
  });

  it('a mirror does not copy a body that no handler reads', async () => {
    const { dial, received } = await recorder();
    const server = await mirrored([mirrorTo(dial), { handler: 'static_response', body: 'hello' }]);
    await server.request({ method: 'POST', pieces: ['abc'] });
    expect(server.count('incomplete')).to.equal(1);
    expect(received).to.deep.equal([]);
  });

  it('a mirror does not copy a body that the client aborts', async () => {
    const { dial, received } = await recorder();
    const main = opened.add(await rawUpstream(() => undefined));
    const server = opened.add(await listeningServer([mirrorTo(dial, { max_concurrent: 1 }), proxyTo(main.dial)]));
    const client = connect(server.port, '127.0.0.1');
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
    await until(() => main.received[0]?.endsWith('abc') === true);
    client.destroy();
    // The second mirrored request can be sent after the first one has been discarded.
    await until(() => main.sockets[0]?.destroyed === true);
    expect(received).to.deep.equal([]);
    const next = connect(server.port, '127.0.0.1');
    next.write('GET /next HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => received.length === 1);
    expect(received[0]).to.include({ method: 'GET', url: '/next' });
    next.destroy();
  });

  it('a mirror that is removed by a configuration change cancels its copies, but not client requests', async () => {
    const hanging = opened.add(await rawUpstream(() => undefined));
    const { dial: main } = opened.add(await echoUpstream());
    const server = await mirrored([mirrorTo(hanging.dial), proxyTo(main)]);
    const statuses: number[] = [];
    let running = true;
    const load = [0, 1, 2, 3].map(async () => {
      while (running) statuses.push((await server.request({ method: 'POST', pieces: ['a', 'b'] })).status);
    });
    await until(() => statuses.length > 50);
    const { dial, received } = await recorder();
    await server.reconciler.load(withRoutes([{ handle: [mirrorTo(dial), proxyTo(main)] }]));
    await until(() => received.length > 50);
    await server.reconciler.load(withRoutes([{ handle: [proxyTo(main)] }]));
    const seen = statuses.length;
    await until(() => statuses.length > seen + 50);
    running = false;
    await Promise.all(load);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(server.count('canceled')).to.be.within(1, 104);
    expect(new Set(received.map(({ body }) => body))).to.deep.equal(new Set(['ab']));
  });

  it('a mirror rejects the cookie selection policy, because this policy would change responses', async () => {
    const policy = { load_balancing: { selection_policy: { policy: 'cookie' } } };
    const error: unknown = await mirrored([mirrorTo('localhost:1', policy)]).catch((reason: unknown) => reason);
    expect(String(error)).to.contain('would add a cookie to client responses');
  });
});
