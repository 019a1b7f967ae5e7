import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect } from 'chai';
import { ContainerEngine, type TestContainer } from '../support/container-engine.ts';
import { Sandbox, until } from '../support/sandbox.ts';
import { freePort } from '@sluice/testing';
import { config, says, TestServer, withApps, type TestResponse } from '../support/server.ts';

interface Summary {
  readonly name: string;
  readonly state: string;
  readonly error: string | null;
  readonly applied: number;
  readonly rejected: number;
}

describe('sluice.providers.docker', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let engine: ContainerEngine;
  let upstream: Server;
  let upstreamPort = 0;
  let adminPort = 0;
  let httpPort = 0;
  let server: TestServer;

  before(async () => {
    sandbox = new Sandbox();
    engine = new ContainerEngine(sandbox.path('engine.sock'));
    await engine.open();
    upstream = createServer(({ headers: { host } }, response) => response.end(`upstream for ${host ?? ''}`));
    upstream.on('upgrade', (_request: IncomingMessage, socket: Socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
      socket.pipe(socket);
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    upstreamPort = (upstream.address() as AddressInfo).port;
    [adminPort, httpPort] = [await freePort(), await freePort()];
    engine.start('shop', site('shop.test'));
    server = await run();
  });
  after(async () => {
    await engine.close();
    upstream.closeAllConnections();
    await new Promise((resolve) => upstream.close(resolve));
    await sandbox.remove();
  });

  function configuration(text: string): Record<string, unknown> {
    const own = [{ match: [{ host: ['own.test'] }], ...says(text) }];
    const docker = {
      provider: 'docker',
      endpoint: `unix://${engine.path}`,
      dialects: ['caddy', 'traefik'],
      entry_points: { web: `127.0.0.1:${httpPort}` },
    };
    return withApps(config(adminPort, httpPort, own), { providers: { sources: { docker } } });
  }

  async function run(): Promise<TestServer> {
    const file = await sandbox.write('config.json', configuration('own'));
    return TestServer.start(sandbox, ['--config', file, '--workers', '2'], adminPort, httpPort);
  }

  /** Returns the labels of a container that serves a host on the server's port. */
  function site(host: string, labels: Readonly<Record<string, string>> = {}): TestContainer {
    return {
      labels: {
        caddy: `http://${host}:${httpPort}`,
        'caddy.bind': '127.0.0.1',
        'caddy.reverse_proxy': `{{upstreams ${upstreamPort}}}`,
        ...labels,
      },
    };
  }

  const ask = (host: string, to: TestServer = server): Promise<TestResponse> =>
    to.http('/', { headers: { Host: host } });
  const serves = (host: string, text: string): Promise<void> =>
    until(async () => (await ask(host)).text === text, `${text} of ${host}`);
  const provider = async (to: TestServer = server): Promise<Summary> => {
    const [first] = JSON.parse((await to.admin('/providers')).text) as [Summary];
    return first;
  };

  it('the server serves the site of a running container, and drops the site of a stopped container', async () => {
    await serves('shop.test', 'upstream for shop.test');
    engine.start('blog', site('blog.test'));
    await serves('blog.test', 'upstream for blog.test');
    engine.stop('blog');
    await serves('blog.test', '');
    expect([...engine.requests]).to.deep.equal(['GET /events', 'GET /containers/json']);
  });

  it('GET /ready responds with 503 until the sites of the Docker engine are active, and keeps responding with 200 if the engine becomes unavailable', async () => {
    const [ownAdmin, ownHttp, other] = [
      await freePort(),
      await freePort(),
      new ContainerEngine(sandbox.path('late.sock')),
    ];
    const late = { provider: 'docker', endpoint: `unix://${other.path}` };
    const document = withApps(config(ownAdmin, ownHttp, [says('own')]), { providers: { sources: { late } } });
    const file = await sandbox.write('late.json', document);
    const starting = await TestServer.start(sandbox, ['--config', file, '--workers', '1'], ownAdmin, ownHttp);
    const readiness = async (): Promise<unknown> => {
      const { status, text } = await starting.admin('/ready');
      return { status, ...(JSON.parse(text) as object) };
    };
    expect(await readiness()).to.deep.equal({ status: 503, waiting: ['late'] });
    await other.open();
    await until(async () => (await provider(starting)).state === 'synced', 'an available engine');
    expect(await readiness()).to.deep.equal({ status: 200, waiting: [] });
    await other.close();
    await until(async () => (await provider(starting)).state === 'unavailable', 'an unavailable engine');
    expect(await readiness()).to.deep.equal({ status: 200, waiting: [] });
    await starting.stop();
  });

  it('container routes come after handwritten routes and are not part of the configuration document', async () => {
    engine.start('own', site('own.test'));
    await until(async () => (await provider()).applied === 2, 'two sites');
    expect((await ask('own.test')).text).to.equal('own');
    expect((await server.admin('/config/')).text).not.to.include('shop.test');
    const { objects } = JSON.parse((await server.admin('/providers/docker')).text) as { objects: { object: string }[] };
    expect(objects.map(({ object }) => object)).to.have.members(['container own', 'container shop']);
    engine.stop('own');
  });

  it('container routes survive loading another configuration', async () => {
    const loaded = await server.admin('/load', { method: 'POST', body: configuration('loaded') });
    expect(loaded.status).to.equal(200);
    expect((await ask('own.test')).text).to.equal('loaded');
    expect((await ask('shop.test')).text).to.equal('upstream for shop.test');
  });

  it('an invalid label is reported with its container and does not affect other containers', async () => {
    engine.start('broken', site('broken.test', { 'caddy.reverse_proxy.nope': 'x' }));
    engine.start('template', site('template.test', { 'caddy.respond': '{{nope}}' }));
    engine.start('blog', site('blog.test'));
    await serves('blog.test', 'upstream for blog.test');
    await server.logged('container broken: label caddy.reverse_proxy.nope: ');
    await server.logged('container template: label caddy.respond: ');
    expect((await ask('shop.test')).text).to.equal('upstream for shop.test');
    for (const name of ['broken', 'template', 'blog']) engine.stop(name);
  });

  it('a site that the server rejects is reported and does not affect other containers', async () => {
    engine.start(
      'broken',
      site('broken.test', {
        'caddy.root': '* /srv',
        'caddy.handle.rewrite': '* {nope',
        'caddy.basic_auth.bob': 'no-hash',
      }),
    );
    engine.start('blog', site('blog.test'));
    await serves('blog.test', 'upstream for blog.test');
    await until(async () => (await provider()).rejected === 1, 'a rejected site');
    expect((await ask('shop.test')).text).to.equal('upstream for shop.test');
    engine.stop('broken');
    await until(async () => (await provider()).rejected === 0, 'no rejected site');
    engine.stop('blog');
  });

  it('containers with the same site become upstreams of one site', async () => {
    const two = { networks: { bridge: '127.0.0.2' } };
    engine.start('one', site('both.test'));
    engine.start('two', { ...site('both.test'), ...two });
    await until(async () => {
      const { text } = await server.admin('/providers/docker');
      return text.includes('containers one, two') && text.includes('127.0.0.2:') && text.includes('127.0.0.1:');
    }, 'a shared site');
    engine.stop('one');
    engine.stop('two');
  });

  it('an upgraded connection stays open while another container is started and stopped 20 times', () => staysOpen(20));

  it('an upgraded connection stays open while another container is started and stopped 100 times @long', () =>
    staysOpen(100));

  async function staysOpen(times: number): Promise<void> {
    engine.start('shop', site('shop.test'));
    await serves('shop.test', 'upstream for shop.test');
    const socket = await upgraded(httpPort, 'shop.test');
    let closed = false;
    socket.on('close', () => (closed = true));
    for (let i = 0; i < times; i++) {
      engine.start('blog', site('blog.test'));
      await serves('blog.test', 'upstream for blog.test');
      engine.stop('blog');
      await serves('blog.test', '');
    }
    const echo = new Promise<string>((resolve) => socket.once('data', (data: Buffer) => resolve(data.toString())));
    socket.write('still here');
    expect(await echo).to.equal('still here');
    expect(closed).to.equal(false);
    socket.destroy();
  }

  it('container routes remain while the Docker engine is unavailable, even after a restart', async () => {
    await engine.close();
    await until(async () => (await provider()).state === 'unavailable', 'an unavailable engine');
    expect((await provider()).error).to.include('engine');
    expect((await ask('shop.test')).text).to.equal('upstream for shop.test');
    await server.stop();
    server = await run();
    expect((await ask('shop.test')).text).to.equal('upstream for shop.test');
    await engine.open();
    engine.start('late', site('late.test'));
    await serves('late.test', 'upstream for late.test');
    expect(await provider()).to.include({ state: 'synced', error: null, applied: 2 });
  });
});

function upgraded(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const headers = { Host: host, Connection: 'Upgrade', Upgrade: 'echo' };
    const sent = request({ host: '127.0.0.1', port, headers });
    sent.on('upgrade', (_response, socket: Socket) => resolve(socket));
    sent.on('error', reject);
    sent.end();
  });
}
