import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { httpApp } from '@sluice/http-app';
import { freePort, RawClient, startEchoUpstream, type EchoUpstream, type TestServer } from '@sluice/testing';
import { layer4, proxyTo, serveAll } from './support.ts';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('layer4 app: routing', () => {
  let a: EchoUpstream;
  let b: EchoUpstream;
  let port: number;
  let server: TestServer | null = null;

  before(async () => {
    [a, b] = await Promise.all([startEchoUpstream('A'), startEchoUpstream('B')]);
  });
  after(() => Promise.all([a.close(), b.close()]));
  beforeEach(async () => {
    port = await freePort();
  });
  afterEach(async () => {
    await server?.close();
    server = null;
  });

  it('a layer4 handler receives the bytes that matchers have read', async () => {
    server = await serveAll(layer4(port, [{ match: [{ ssh: {} }], handle: [proxyTo(a.port)] }]));
    expect(await new RawClient(port).send('SSH-2.0-x').rest()).to.equal('A:SSH-2.0-x');
  });

  it('layer4 routing does not depend on how the bytes are split', async () => {
    server = await serveAll(
      layer4(port, [
        { match: [{ regexp: { pattern: '^abcdef', count: 6 } }], handle: [proxyTo(a.port)] },
        { handle: [proxyTo(b.port)] },
      ]),
    );
    for (const [text, upstream] of [
      ['abcdef', 'A'],
      ['abcdex', 'B'],
    ] as const) {
      const client = new RawClient(port);
      for (const character of text) {
        client.send(character);
        await sleep(5);
      }
      expect(await client.rest()).to.equal(`${upstream}:${text}`);
    }
  });

  it('layer4 matchers that need no bytes are evaluated before the client sends any', async () => {
    server = await serveAll(
      layer4(port, [{ match: [{ remote_ip: { ranges: ['127.0.0.1'] } }], handle: [proxyTo(a.port)] }]),
    );
    const client = new RawClient(port);
    await client.until('A:');
    await client.rest();
  });

  it('a layer4 matcher set fails as soon as one matcher fails, even if another matcher needs more bytes', async () => {
    server = await serveAll(
      layer4(port, [
        { match: [{ ssh: {}, remote_ip: { ranges: ['10.0.0.1'] } }], handle: [proxyTo(a.port)] },
        { handle: [proxyTo(b.port)] },
      ]),
    );
    const client = new RawClient(port);
    await client.until('B:');
    await client.rest();
  });

  it('a layer4 connection that matches no route is closed', async () => {
    server = await serveAll(layer4(port, [{ match: [{ ssh: {} }], handle: [proxyTo(a.port)] }]));
    expect(await new RawClient(port).send('GET / HTTP/1.1\r\n').rest()).to.equal('');
  });

  it('a layer4 connection that matches no route within matching_timeout is closed', async () => {
    server = await serveAll(
      layer4(port, [{ match: [{ ssh: {} }], handle: [proxyTo(a.port)] }, { handle: [proxyTo(b.port)] }], {
        matching_timeout: '100ms',
      }),
    );
    const startedAt = performance.now();
    const client = new RawClient(port).send('SS');
    await client.closed;
    expect(client.received).to.equal('');
    expect(performance.now() - startedAt).to.be.within(90, 2000);
  });

  it('layer4 matches later routes after a handler has passed the connection on', async () => {
    server = await serveAll(
      layer4(port, [
        { match: [{ ssh: {} }], handle: [{ handler: 'vars', kind: 'ssh' }] },
        { match: [{ vars: { kind: ['ssh'] } }], handle: [proxyTo(a.port)] },
        { handle: [proxyTo(b.port)] },
      ]),
    );
    expect(await new RawClient(port).send('SSH-2').rest()).to.equal('A:SSH-2');
    expect(await new RawClient(port).send('x').rest()).to.equal('B:x');
  });

  it('a layer4 subroute without a matching route passes the connection on to the next handler', async () => {
    const subroute = {
      handler: 'subroute',
      routes: [{ match: [{ regexp: { pattern: '^SSH-1', count: 5 } }], handle: [proxyTo(a.port)] }],
    };
    server = await serveAll(layer4(port, [{ match: [{ ssh: {} }], handle: [subroute, proxyTo(b.port)] }]));
    expect(await new RawClient(port).send('SSH-1.5').rest()).to.equal('A:SSH-1.5');
    expect(await new RawClient(port).send('SSH-2.0').rest()).to.equal('B:SSH-2.0');
  });

  it('layer4 connections survive changes to any route, and even the removal of their server', async () => {
    const config = (upstream: EchoUpstream, extra: string): ReturnType<typeof layer4> =>
      layer4(port, [
        { match: [{ regexp: { pattern: extra, count: 1 } }], handle: [{ handler: 'echo' }] },
        { match: [{ ssh: {} }], handle: [proxyTo(upstream.port)] },
      ]);
    server = await serveAll(config(a, '1'));
    const client = new RawClient(port).send('SSH-2');
    await client.until('A:SSH-2');
    await server.reconciler.load(config(b, '1'));
    client.send(' one');
    await client.until('one');
    await server.reconciler.load(config(b, '2'));
    expect(await new RawClient(port).send('SSH-2').rest()).to.equal('B:SSH-2');
    const other = await freePort();
    await server.reconciler.load(layer4(other, [{ handle: [{ handler: 'echo' }] }]));
    client.send(' two');
    await client.until('two');
    expect(await client.rest()).to.equal('A:SSH-2 one two');
  });

  it('layer4 connections are closed when the app is removed', async () => {
    server = await serveAll(layer4(port, [{ handle: [proxyTo(a.port)] }]));
    const client = new RawClient(port);
    await client.until('A:');
    await server.reconciler.load({ apps: {} });
    await client.closed;
  });

  it('an open layer4 connection does not retain components of earlier configurations', async () => {
    server = await serveAll(layer4(port, [{ handle: [proxyTo(a.port)] }]));
    const client = new RawClient(port);
    await client.until('A:');
    for (let i = 0; i < 5; i++)
      await server.reconciler.load(
        layer4(port, [
          { match: [{ regexp: { pattern: String(i), count: 1 } }], handle: [{ handler: 'echo' }] },
          { handle: [proxyTo(b.port)] },
        ]),
      );
    await server.runtime.settled();
    expect(server.runtime.retiring).to.equal(0);
    expect(await client.rest()).to.equal('A:');
  });

  it('two layer4 servers cannot use the same address', async () => {
    const one = { listen: [`127.0.0.1:${port}`], routes: [] };
    const failing = serveAll({ apps: { layer4: { servers: { one, two: one } } } });
    expect(await refusalOf(failing)).to.include('is already used by server one');
  });

  it('layer4 rejects the address of an HTTP server, because both servers would accept its connections', async () => {
    const http = { servers: { w: { listen: [`127.0.0.1:${port}`] } } };
    const config = layer4(port, []) as { apps: JsonObject };
    const failing = serveAll({ apps: { ...config.apps, http } });
    expect(await refusalOf(failing)).to.include('is already used by the HTTP server w');
  });

  it('an address can move between the http and layer4 apps without closing the socket', async () => {
    server = await serveAll(layer4(port, [{ handle: [{ handler: 'echo' }] }]));
    expect(await new RawClient(port).send('x').rest()).to.equal('x');
    const routes = [{ handle: [{ handler: 'static_response', body: 'web' }] }];
    await server.reconciler.load({
      apps: { http: { servers: { w: { listen: [`127.0.0.1:${port}`], routes } } } },
    });
    const request = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
    expect(await new RawClient(port).send(request).rest()).to.include('web');
    await server.reconciler.load(layer4(port, [{ handle: [{ handler: 'echo' }] }]));
    expect(await new RawClient(port).send('y').rest()).to.equal('y');
    expect(server.runtime.app(httpApp)).to.equal(null);
  });
});

describe('layer4 listener wrapper', () => {
  let upstream: EchoUpstream;
  before(async () => {
    upstream = await startEchoUpstream('A');
  });
  after(() => upstream.close());

  it('the layer4 listener wrapper routes matching connections, and passes others on to the HTTP server', async () => {
    const port = await freePort();
    const server = await serveAll({
      apps: {
        http: {
          servers: {
            w: {
              listen: [`127.0.0.1:${port}`],
              listener_wrappers: [
                { wrapper: 'layer4', routes: [{ match: [{ ssh: {} }], handle: [proxyTo(upstream.port)] }] },
              ],
              routes: [{ handle: [{ handler: 'static_response', body: 'web' }] }],
            },
          },
        },
      },
    });
    expect(await new RawClient(port).send('SSH-2').rest()).to.equal('A:SSH-2');
    const request = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
    expect(await new RawClient(port).send(request).rest()).to.match(/200 OK[^]*web$/);
    await server.close();
  });
});

async function refusalOf(promise: Promise<TestServer>): Promise<string> {
  try {
    await (await promise).close();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the configuration was accepted');
}
