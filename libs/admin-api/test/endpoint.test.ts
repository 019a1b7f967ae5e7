import { existsSync, linkSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Agent, createServer, type Server } from 'node:http';
import { createServer as createNetServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { freePort } from '@sluice/testing';
import { ask, startServer, type TestServer } from './admin.ts';

describe('admin-api.endpoint', () => {
  let server: TestServer;
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-admin-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    server = await startServer({ document: { apps: { any: { a: 1 } } } });
  });
  afterEach(() => server.close());

  const listen = (address: string, more: object = {}): Json => ({
    admin: { listen: address, ...more },
    apps: { any: { a: 1 } },
  });
  /** Verifies that no process listens on a port. */
  async function expectGone(port: number): Promise<void> {
    expect(await ask({ port }, '/config/').catch((error: { code?: string }) => error.code)).to.equal('ECONNREFUSED');
  }

  it('a change that moves the admin endpoint receives its response at the old address, and later requests use the new address', async () => {
    const before = server.port;
    const after = await freePort();
    const response = await server.ask('/load', { method: 'POST', json: listen(`127.0.0.1:${after}`) });
    expect(response.status).to.equal(200);
    expect(server.port).to.equal(after);
    expect((await server.ask('/config/admin/listen')).json).to.equal(`127.0.0.1:${after}`);
    await expectGone(before);
  });

  it('the admin endpoint returns to the default address if the configuration does not specify an address', async () => {
    await server.close();
    const home = await freePort();
    server = await startServer({ defaultAddress: `localhost:${home}`, document: listen('127.0.0.1:0') });
    expect(server.port).to.not.equal(home);
    for (const document of [{ apps: {} }, null]) {
      await server.reconciler.load(listen('127.0.0.1:0'));
      expect((await server.ask('/load', { method: 'POST', json: document })).status).to.equal(200);
      expect(server.endpoint.address).to.equal(`localhost:${home}`);
      expect((await server.ask('/config/')).json).to.deep.equal(document);
    }
  });

  it('the admin endpoint remains reachable while its address changes', async () => {
    const ports = [await freePort(), await freePort()];
    await server.reconciler.load(listen(`127.0.0.1:${ports[0]}`));
    const moving = new AbortController();
    const asking = (async (): Promise<number> => {
      let asked = 0;
      for (; !moving.signal.aborted; asked++) expect((await server.ask('/config/apps/any/a')).json).to.equal(1);
      return asked;
    })();
    for (let i = 1; i <= 50; i++) {
      await server.reconciler.load(listen(`127.0.0.1:${ports[i % 2]}`));
      if (i % 5 === 0) await sleep(1);
    }
    moving.abort();
    expect(await asking).to.be.greaterThan(5);
  });

  it('the admin endpoint can switch between addresses with the same port without interruption', async () => {
    const port = await freePort();
    for (const address of [
      `127.0.0.1:${port}`,
      `:${port}`,
      `localhost:${port}`,
      `0.0.0.0:${port}`,
      `tcp4/127.0.0.1:${port}`,
    ]) {
      const done = server.reconciler.load(listen(address));
      await done;
      expect((await server.ask('/config/admin/listen')).json, address).to.equal(address);
    }
  });

  it('the admin endpoint completes requests in flight at the old address, and closes idle connections', async () => {
    const before = server.port;
    const agent = new Agent({ keepAlive: true });
    await ask({ port: before }, '/config/', {}, agent);
    const [idle] = Object.values(agent.freeSockets).flat();
    const idleEnded = new Promise((resolve) => idle?.on('close', resolve));
    let turn = (): void => {};
    const blocked = server.reconciler.exclusive(() => new Promise<void>((resolve) => (turn = resolve)));
    const move = server.ask('/load', { method: 'POST', json: listen('127.0.0.5:0') });
    const late = ask({ port: before }, '/config/apps/any/a', { method: 'PATCH', json: 2 });
    await sleep(30);
    turn();
    await blocked;
    expect([(await move).status, (await late).status]).to.deep.equal([200, 200]);
    await idleEnded;
    agent.destroy();
    await expectGone(before);
    expect(server.reconciler.read(['apps', 'any', 'a'])).to.equal(2);
  });

  describe('admin-api.endpoint: unavailable addresses', () => {
    let foreign: Server;
    let taken: number;
    before(async () => {
      foreign = createServer();
      await new Promise<void>((resolve) => foreign.listen({ port: 0, host: '127.0.0.1', reusePort: true }, resolve));
      taken = (foreign.address() as { port: number }).port;
    });
    after(() => new Promise((resolve) => foreign.close(resolve)));

    it('the admin endpoint rejects the whole change if the new address cannot be bound', async () => {
      const { port } = server;
      const document = { admin: { listen: `127.0.0.1:${taken}` }, apps: { any: { a: 2 } } };
      const load = await server.ask('/load', { method: 'POST', json: document });
      expect(load.status).to.equal(400);
      expect(load.json)
        .to.have.property('error')
        .that.contains(`cannot listen on 127.0.0.1:${taken}`)
        .and.contains('EADDRINUSE');
      expect((await server.ask('/config/', { method: 'PATCH', json: document })).status).to.equal(500);
      expect(server.port).to.equal(port);
      expect((await server.ask('/config/')).json).to.deep.equal({ apps: { any: { a: 1 } } });
    });

    for (const address of [
      '',
      '{env.SLUICE_TEST_NOT_SET}',
      '127.0.0.1:1-5',
      '127.0.0.1:99999',
      'udp/127.0.0.1:80',
      'http://x/',
      'unix/',
      'no such host:80',
      '127.0.0.1:x',
    ]) {
      it(`the admin endpoint address ${JSON.stringify(address)} is ${address === '' ? 'treated as missing' : 'rejected'}`, async () => {
        const response = await server.ask('/load', { method: 'POST', json: listen(address) });
        expect(response.status).to.equal(address === '' ? 200 : 400);
        if (address !== '') expect(response.json).to.have.property('error').that.contains('admin');
      });
    }
  });

  it('the admin endpoint keeps its address if another part of the change fails', async () => {
    const { port } = server;
    const after = await freePort();
    const response = await server.ask('/load', {
      method: 'POST',
      json: { admin: { listen: `127.0.0.1:${after}` }, apps: { nope: {} } },
    });
    expect(response.status).to.equal(400);
    expect(server.port).to.equal(port);
    expect((await server.ask('/config/')).status).to.equal(200);
    await expectGone(after);
  });

  it('the admin endpoint releases its new address if the traffic threads reject the change', async () => {
    const after = await freePort();
    server.refuseInThreads = true;
    const response = await server.ask('/load', { method: 'POST', json: listen(`127.0.0.1:${after}`) });
    expect(response.status).to.equal(400);
    await expectGone(after);
  });

  it('the admin endpoint closes when a change disables it, after it has responded to this change', async () => {
    const { port } = server;
    expect((await server.ask('/config/admin', { method: 'PUT', json: { disabled: true } })).status).to.equal(200);
    expect(server.endpoint.address).to.equal(null);
    await expectGone(port);
    await server.reconciler.load({ apps: {} });
    expect((await server.ask('/config/')).status).to.equal(200);
  });

  it('the admin endpoint expands placeholders in its address', async () => {
    process.env.SLUICE_TEST_ADMIN = '127.0.0.5:0';
    await server.reconciler.load(listen('{env.SLUICE_TEST_ADMIN}'));
    delete process.env.SLUICE_TEST_ADMIN;
    expect(server.endpoint.address).to.match(/^127\.0\.0\.5:\d+$/);
  });

  it('the admin endpoint can listen on IPv6', async () => {
    await server.reconciler.load(listen('[::1]:0'));
    const { port } = server;
    expect(server.endpoint.address).to.equal(`[::1]:${port}`);
    expect((await ask({ host: '::1', port } as { port: number }, '/config/')).status).to.equal(200);
  });

  describe('admin-api.endpoint: Unix sockets', () => {
    it('the Unix socket of the admin endpoint has the configured permissions and is removed on close', async () => {
      const path = join(folder, 'admin.sock');
      await server.reconciler.load(listen(`unix/${path}`));
      expect(server.endpoint.address).to.equal(`unix/${path}`);
      expect(statSync(path).mode & 0o777).to.equal(0o200);
      expect((await ask({ socketPath: path }, '/config/', { headers: { Host: 'any' } })).status).to.equal(200);
      expect(
        (await ask({ socketPath: path }, '/config/admin/listen', { method: 'PATCH', json: `unix/${path}|0660` }))
          .status,
      ).to.equal(200);
      expect(statSync(path).mode & 0o777).to.equal(0o660);
      expect((await ask({ socketPath: path }, '/config/admin', { method: 'DELETE' })).status).to.equal(200);
      while (existsSync(path)) await sleep(5);
      expect((await server.ask('/config/')).status).to.equal(200);
    });

    it('the admin endpoint replaces a stale Unix socket, but no other file', async () => {
      const path = join(folder, 'stale.sock');
      const left = createNetServer();
      await new Promise<void>((resolve) => left.listen(path, resolve));
      expect((await server.ask('/load', { method: 'POST', json: listen(`unix/${path}`) })).status).to.equal(400);
      // A stale socket file without a listening process. It is created as a hard link because closing the server deletes the original file.
      const stale = join(folder, 'left.sock');
      linkSync(path, stale);
      await new Promise((resolve) => left.close(resolve));
      expect((await server.ask('/load', { method: 'POST', json: listen(`unix/${stale}`) })).status).to.equal(200);
      await server.reconciler.load({});
      const file = join(folder, 'file');
      writeFileSync(file, 'precious');
      expect((await server.ask('/load', { method: 'POST', json: listen(`unix/${file}`) })).status).to.equal(400);
      expect(existsSync(file)).to.equal(true);
    });

    it('the admin endpoint can listen on an abstract Unix socket', async function () {
      if (process.platform !== 'linux') this.skip();
      const name = `sluice-test-${process.pid}`;
      await server.reconciler.load(listen(`unix/@${name}`));
      expect((await ask({ socketPath: `\0${name}` }, '/config/')).status).to.equal(200);
    });
  });

  it('closing the admin endpoint aborts requests in flight after a grace period', async () => {
    const { port } = server;
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`POST /load HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 100\r\n\r\n{`),
    );
    const ended = new Promise((resolve) => socket.on('close', resolve));
    await sleep(30);
    await server.endpoint.close(50);
    await ended;
  });
});
