import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { duplicateDescriptor } from '@sluice/base';
import { freePort } from '@sluice/testing';
import { watchdogInterval } from '../../src/process/service-manager.ts';
import { DatagramSocket } from '../support/datagrams.ts';
import { Sandbox, until } from '../support/sandbox.ts';
import { config, says, send, TestServer } from '../support/server.ts';

describe('systemd integration', function () {
  this.timeout(40_000);
  let sandbox: Sandbox;
  before(function () {
    if (duplicateDescriptor(0) === null) this.skip();
  });
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  it('the server notifies systemd when ready, reloading, rejecting a configuration, and stopping', async () => {
    const manager = new DatagramSocket(sandbox.path('notify'));
    const server = await TestServer.run(sandbox, [says('one')], [], { env: { NOTIFY_SOCKET: manager.path } });
    await until(() => manager.received.length > 0, 'the first message');
    expect(manager.received).to.deep.equal([`READY=1\nSTATUS=serving 127.0.0.1:${server.httpPort}`]);
    const load = (handler: unknown) =>
      server.admin('/load', {
        method: 'POST',
        body: config(server.adminPort, server.httpPort, [{ handle: [{ handler }] }]),
      });
    expect((await load('headers')).status).to.equal(200);
    expect((await load('nope')).status).to.equal(400);
    // A change to a single value is not reported as a reload, because there may be hundreds per second.
    const path = '/config/apps/http/servers/s/routes/0/terminal';
    expect((await server.admin(path, { method: 'PUT', body: true })).status).to.equal(200);
    await server.stop();
    const [, reloading, ready, again, refused, stopping, ...rest] = manager.received;
    for (const text of [reloading, again]) expect(text).to.match(/^RELOADING=1\nMONOTONIC_USEC=\d+$/);
    expect(ready).to.equal('READY=1\nSTATUS=configuration loaded');
    expect(refused).to.match(/^READY=1\nSTATUS=configuration rejected: apps\.http\.servers\.s\.routes\[0\].*nope/);
    expect(stopping).to.equal('STOPPING=1');
    expect(rest).to.deep.equal([]);
    manager.close();
  });

  it('the server sends two watchdog signals per watchdog timeout', async () => {
    const manager = new DatagramSocket(sandbox.path('notify'));
    const env = { NOTIFY_SOCKET: manager.path, WATCHDOG_USEC: '200000' };
    await TestServer.run(sandbox, [says('one')], ['--workers', '1'], { env });
    const signs = (): number => manager.received.filter((text) => text === 'WATCHDOG=1').length;
    await until(() => signs() >= 5, 'five signs of life');
    manager.close();
  });

  it('the server serves even if systemd notifications fail', async () => {
    const env = { NOTIFY_SOCKET: sandbox.path('nothing-here') };
    const server = await TestServer.run(sandbox, [says('one')], [], { env });
    await server.logged('failed to notify systemd');
    expect((await server.http()).text).to.equal('one');
  });

  it('watchdogInterval returns an interval only in the process that systemd watches', () => {
    expect(watchdogInterval({ WATCHDOG_USEC: '2000000' })).to.equal(1000);
    expect(watchdogInterval({ WATCHDOG_USEC: '2000000', WATCHDOG_PID: String(process.pid) })).to.equal(1000);
    expect(watchdogInterval({ WATCHDOG_USEC: '2000000', WATCHDOG_PID: '1' })).to.equal(null);
    for (const none of [undefined, '', '0', 'soon']) expect(watchdogInterval({ WATCHDOG_USEC: none })).to.equal(null);
  });

  it('the server keeps an inherited socket open, even after loading a configuration that does not use it', async () => {
    const given: Server = createServer();
    given.listen(0, '127.0.0.1');
    await once(given, 'listening');
    const { port } = given.address() as { port: number };
    const descriptor = (given as unknown as { _handle: { fd: number } })._handle.fd;
    const admin = await freePort();
    const routes = [says('through a socket that was open')];
    const document = { ...config(admin, 0, routes), apps: { http: { servers: { s: { listen: ['fd/3'], routes } } } } };
    const file = await sandbox.write('config.json', document);
    const server = await TestServer.start(sandbox.with({ inherit: [descriptor] }), ['--config', file], admin, port);
    given.close();
    expect((await server.http()).text).to.equal('through a socket that was open');
    expect((await server.admin('/load', { method: 'POST', body: { ...document, apps: {} } })).status).to.equal(200);
    expect((await server.admin('/load', { method: 'POST', body: document })).status).to.equal(200);
    expect((await send(port, '/')).text).to.equal('through a socket that was open');
  });
});
