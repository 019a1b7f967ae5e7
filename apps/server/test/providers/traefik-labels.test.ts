import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { ContainerEngine, type TestContainer } from '../support/container-engine.ts';
import { Sandbox, until } from '../support/sandbox.ts';
import { config, TestServer, withApps, type Ask, type TestResponse } from '../support/server.ts';

interface Received {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

describe('Traefik labels of containers', function () {
  this.timeout(30_000);
  const labels = (text: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(text).map(([name, value]) => [`traefik.http.${name}`, value]));
  let sandbox: Sandbox;
  let engine: ContainerEngine;
  let upstream: Server;
  let port = 0;
  let server: TestServer;

  before(async () => {
    sandbox = new Sandbox();
    engine = new ContainerEngine(sandbox.path('engine.sock'));
    await engine.open();
    upstream = createServer(({ url = '', headers }, response) => {
      response.setHeader('X-Upstream', 'yes');
      response.statusCode = url.startsWith('/fail') ? 503 : 200;
      response.end(JSON.stringify({ url, headers }));
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    port = (upstream.address() as AddressInfo).port;
    engine.start('shop', container({ 'routers.shop.rule': 'Host(`shop.test`)' }));
    server = await run(await freePort(), {});
    await serves('shop.test', 200);
  });
  after(async () => {
    await engine.close();
    upstream.closeAllConnections();
    await new Promise((resolve) => upstream.close(resolve));
    await sandbox.remove();
  });

  /** Starts a server with the Docker provider, and with a handwritten server on the port `own`, or on a free port if `own` is 0. */
  async function run(http: number, options: object, own = 0): Promise<TestServer> {
    const admin = await freePort();
    const docker = {
      provider: 'docker',
      endpoint: `unix://${engine.path}`,
      dialects: ['traefik'],
      entry_points: { web: `127.0.0.1:${http}` },
    };
    const written = config(admin, own === 0 ? await freePort() : own, [], options);
    const file = await sandbox.write(`${http}.json`, withApps(written, { providers: { sources: { docker } } }));
    return TestServer.start(sandbox, ['--config', file], admin, http);
  }

  const container = (text: Readonly<Record<string, string>>): TestContainer => ({
    labels: labels(text),
    ports: [port],
  });
  const ask = (host: string, path = '/', options: Ask = {}): Promise<TestResponse> =>
    server.http(path, { ...options, headers: { Host: host, ...options.headers } });
  const serves = (host: string, status: number): Promise<void> =>
    until(async () => (await ask(host)).status === status, `${status} for ${host}`, 10_000);
  const received = (response: TestResponse): Received => JSON.parse(response.text) as Received;

  it('all routers of an entry point without TLS are served over HTTP, regardless of the port', async () => {
    engine.start('blog', container({ 'routers.blog.rule': 'Host(`blog.test`)' }));
    await serves('blog.test', 200);
    expect((await ask('shop.test')).status).to.equal(200);
    engine.stop('blog');
    await serves('blog.test', 404);
  });

  it('a request that matches no router receives status 404', async () => {
    expect((await ask('other.test')).status).to.equal(404);
  });

  it('upstreams receive X-Forwarded headers set by the server instead of those sent by clients', async () => {
    const headers = { 'X-Real-Ip': '1.2.3.4', 'X-Forwarded-Prefix': '/evil', 'X-Forwarded-Port': '1' };
    const { headers: fields } = received(await ask('shop.test:8080', '/', { headers }));
    expect(fields).to.include({ 'x-real-ip': '127.0.0.1', 'x-forwarded-port': '8080' });
    expect(fields).not.to.have.property('x-forwarded-prefix');
    expect(received(await ask('shop.test')).headers).to.include({ 'x-forwarded-port': '80' });
  });

  it('upstreams receive X-Forwarded headers that trusted proxies have set', async () => {
    const http = await freePort();
    const trusting = await run(http, { trusted_proxies: { source: 'static', ranges: ['127.0.0.1/32'] } }, http);
    const headers = { 'X-Forwarded-For': '1.2.3.4', 'X-Forwarded-Prefix': '/app', 'X-Forwarded-Port': '8443' };
    const get = () => trusting.http('/', { headers: { Host: 'shop.test', ...headers } });
    await until(async () => (await get()).text !== '', 'a served router');
    expect(received(await get()).headers).to.include({
      'x-real-ip': '1.2.3.4',
      'x-forwarded-prefix': '/app',
      'x-forwarded-port': '8443',
    });
    await trusting.stop();
  });

  it('a container receives traffic only while its own health check succeeds', async () => {
    engine.start('ill', { ...container({ 'routers.ill.rule': 'Host(`ill.test`)' }), health: 'starting' });
    engine.start('next', container({ 'routers.next.rule': 'Host(`next.test`)' }));
    await serves('next.test', 200);
    expect((await ask('ill.test')).status).to.equal(404);
    engine.setHealth('ill', 'healthy');
    await serves('ill.test', 200);
    engine.setHealth('ill', 'unhealthy');
    await serves('ill.test', 404);
    engine.stop('next');
    engine.stop('ill');
  });

  it('middlewares that change the path preserve encoded slashes, and send the original path to the upstream', async () => {
    const middlewares = {
      'middlewares.add.addprefix.prefix': '/v1',
      'middlewares.replace.replacepathregex.regex': '^/old/(.*)',
      'middlewares.replace.replacepathregex.replacement': '/new/$1',
    };
    engine.start(
      'paths',
      container({
        'routers.add.rule': 'Host(`add.test`)',
        'routers.add.middlewares': 'add',
        'routers.replace.rule': 'Host(`replace.test`)',
        'routers.replace.middlewares': 'replace',
        ...middlewares,
      }),
    );
    await serves('replace.test', 200);
    expect(received(await ask('add.test', '/@scope%2Fname?x=1')).url).to.equal('/v1/@scope%2Fname?x=1');
    const replaced = received(await ask('replace.test', '/old/a%20b?x=1'));
    expect(replaced.url).to.equal('/new/a%20b?x=1');
    expect(replaced.headers['x-replaced-path']).to.equal('/old/a%20b');
    expect(received(await ask('replace.test', '/x')).headers).not.to.have.property('x-replaced-path');
    engine.stop('paths');
  });

  it('CORS preflight responses contain all configured headers, and other responses contain only the headers that apply', async () => {
    engine.start(
      'cors',
      container({
        'routers.cors.rule': 'Host(`cors.test`)',
        'routers.cors.middlewares': 'cors',
        'middlewares.cors.headers.accesscontrolalloworiginlistregex': '^https://.*\\.x\\.test$',
        'middlewares.cors.headers.accesscontrolallowmethods': 'GET,PUT',
        'middlewares.cors.headers.addvaryheader': 'true',
      }),
    );
    await serves('cors.test', 200);
    const headers = { Origin: 'https://a.x.test', 'Access-Control-Request-Method': 'PUT' };
    const preflight = await ask('cors.test', '/', { method: 'OPTIONS', headers });
    expect(preflight.status).to.equal(200);
    expect(preflight.headers).to.include({
      'access-control-allow-origin': 'https://a.x.test',
      'access-control-allow-methods': 'GET,PUT',
    });
    const other = await ask('cors.test', '/', { headers: { Origin: 'https://z.test' } });
    expect(other.headers).to.include({ vary: 'Origin', 'x-upstream': 'yes' });
    expect(other.headers).not.to.have.property('access-control-allow-origin');
    engine.stop('cors');
  });

  it('custom error pages replace error responses and upstream failures, and keep the status', async () => {
    const pages = {
      'middlewares.pages.errors.status': '500-599',
      'middlewares.pages.errors.service': 'pages',
      'middlewares.pages.errors.query': '/page/{status}?url={url}',
    };
    const closed = await freePort();
    engine.start(
      'pages',
      container({
        'routers.fail.rule': 'Host(`fail.test`)',
        'routers.fail.middlewares': 'pages',
        'routers.fail.service': 'pages',
        'routers.closed.rule': 'Host(`closed.test`)',
        'routers.closed.middlewares': 'pages',
        'routers.closed.service': 'closed',
        'services.pages.loadbalancer.server.port': String(port),
        'services.closed.loadbalancer.server.port': String(closed),
        ...pages,
      }),
    );
    await serves('fail.test', 200);
    const failed = await ask('fail.test', '/fail?x=1', { method: 'POST', text: 'body' });
    expect(failed.status).to.equal(503);
    expect(received(failed).url).to.equal('/page/503?url=http%3A%2F%2Ffail.test%2Ffail%3Fx%3D1');
    expect(failed.headers['x-upstream']).to.equal('yes');
    const unreachable = await ask('closed.test');
    expect(unreachable.status).to.equal(502);
    expect(received(unreachable).url).to.match(/^\/page\/502\?/);
    engine.stop('pages');
  });
});
