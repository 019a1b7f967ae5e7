import { readFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Sandbox, until } from '../support/sandbox.ts';
import { config, says, TestServer, withApps } from '../support/server.ts';

const crash = fileURLToPath(new URL('../fixtures/crash', import.meta.url));

/** Collects the events that an admin API client receives. */
class Stream {
  readonly events: { type: string; source: string; data: Record<string, unknown> }[] = [];
  ended = false;

  static async open(port: number, query = ''): Promise<Stream> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: `/events${query}`, agent: false }, resolve)
        .on('error', reject)
        .end();
    });
    expect(response.headers['content-type']).to.equal('text/event-stream');
    const stream = new Stream();
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (text + chunk).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (data !== undefined) stream.events.push(JSON.parse(data) as Stream['events'][number]);
      }
    });
    response.on('end', () => (stream.ended = true)).on('error', () => undefined);
    return stream;
  }

  async has(type: string, data: Record<string, unknown> = {}): Promise<void> {
    const matches = (event: Stream['events'][number]): boolean =>
      event.type === type && Object.entries(data).every(([name, value]) => event.data[name] === value);
    await until(() => this.events.some(matches), `${type} among ${JSON.stringify(this.events)}`);
  }
}

describe('server events in the admin API', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  it('the server emits events for configurations, listeners, workers and upstreams until shutdown', async function () {
    this.timeout(30_000);
    const server = await TestServer.run(sandbox, [says('x')], ['--workers', '1']);
    const [stream, health] = [
      await Stream.open(server.adminPort),
      await Stream.open(server.adminPort, '?origin=http.handlers&name=unhealthy'),
    ];
    const [other, dead] = [await freePort(), await freePort()];
    const active = { uri: '/', interval: '100ms' };
    const proxy = { handler: 'reverse_proxy', upstreams: [{ dial: `127.0.0.1:${dead}` }], health_checks: { active } };
    const path = '/config/apps/http/servers/t';
    await server.admin(path, {
      method: 'PUT',
      body: { listen: [`127.0.0.1:${other}`], routes: [{ handle: [proxy] }] },
    });
    await stream.has('config_changed', { revision: 2 });
    await stream.has('listener_bound', { worker: 1 });
    await health.has('unhealthy', { host: `127.0.0.1:${dead}` });
    await server.admin(path, { method: 'DELETE' });
    await stream.has('listener_released', { worker: 1 });
    await server.admin('/config/apps/nope', { method: 'PUT', body: {} });
    await stream.has('config_refused');
    expect((await server.stop()).code).to.equal(0);
    await stream.has('stopping');
    expect([stream.ended, health.ended]).to.deep.equal([true, true]);
    expect(health.events.map(({ type, source }) => `${source} ${type}`)).to.deep.equal([
      'http.handlers.reverse_proxy unhealthy',
    ]);
  });

  it('the server emits a single listener event for a system-assigned port, because workers cannot share such a port', async function () {
    this.timeout(30_000);
    const server = await TestServer.run(sandbox, [says('x')], ['--workers', '2']);
    const stream = await Stream.open(server.adminPort);
    const [path, shared] = ['/config/apps/http/servers/t', `127.0.0.1:${await freePort()}`];
    await server.admin(path, { method: 'PUT', body: { listen: ['127.0.0.1:0', shared] } });
    await stream.has('listener_bound', { worker: 1 });
    await stream.has('listener_bound', { worker: 2 });
    await stream.has('config_changed', { revision: 2 });
    const bound = stream.events.filter(({ type }) => type === 'listener_bound').map(({ data }) => data['address']);
    expect(bound.toSorted()).to.deep.equal(['tcp/127.0.0.1:0', `tcp/${shared}`, `tcp/${shared}`]);
    await server.stop();
  });

  it('events report a worker that exited and its replacement @long', async function () {
    this.timeout(30_000);
    const routes = [{ match: [{ path: ['/exit'] }], handle: [{ handler: 'crash', how: 'exit' }] }, says('x')];
    const server = await TestServer.run(sandbox, routes, ['--workers', '2', '--module', crash]);
    const stream = await Stream.open(server.adminPort, '?origin=workers');
    await server.http('/exit').catch(() => null);
    await stream.has('worker_exited');
    await stream.has('worker_replaced');
    const [exited, replaced] = stream.events;
    expect(exited?.data['worker']).to.be.oneOf([1, 2]);
    expect(exited?.data['reason']).to.match(/exited with code 3/);
    expect(replaced?.data['worker']).to.equal(exited?.data['worker']);
    expect(replaced?.data['after']).to.be.a('number');
    expect(stream.events.map(({ source, type }) => `${source} ${type}`)).to.deep.equal([
      'workers worker_exited',
      'workers worker_replaced',
    ]);
    await server.stop();
  });

  it('event handlers can run programs from startup to shutdown', async () => {
    const out = join(sandbox.folder, 'out');
    const script = 'require("fs").appendFileSync(process.argv[1], process.argv[2] + " ")';
    const exec = {
      handler: 'exec',
      command: process.execPath,
      args: ['-e', script, out, '{event.name}{event.data.workers}'],
      foreground: true,
    };
    const events = { subscriptions: [{ events: ['started', 'stopping'], handlers: [exec] }] };
    const server = await TestServer.runWith(sandbox, (admin, http) =>
      withApps(config(admin, http, [says('x')]), { events }),
    );
    await server.logged('command exited');
    await server.stop();
    expect(await readFile(out, 'utf8')).to.equal('started0 stopping ');
  });
});
