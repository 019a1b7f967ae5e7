import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { config, TestServer } from '../support/server.ts';
import { Sandbox, until } from '../support/sandbox.ts';

const stubborn = fileURLToPath(new URL('../fixtures/stubborn', import.meta.url));

/** Action of the client after the request, if any. */
type Visit = 'stays' | 'leaves' | 'none';

describe('server shutdown', function () {
  this.timeout(40_000);
  let sandbox: Sandbox;
  const sockets: Socket[] = [];
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await sandbox.remove();
  });

  async function run(how: string, grace: string | null, workers: number): Promise<TestServer> {
    const [admin, http] = [await freePort(), await freePort()];
    const document = config(admin, http, [{ handle: [{ handler: 'stubborn', how }] }]) as {
      apps: { http: Record<string, unknown> };
    };
    if (grace !== null) document.apps.http.grace_period = grace;
    const file = await sandbox.write('config.json', document);
    const args = ['--config', file, '--module', stubborn, '--workers', String(workers)];
    return TestServer.start(sandbox, args, admin, http);
  }

  async function visit({ httpPort }: TestServer, client: Visit): Promise<void> {
    if (client === 'none') return;
    const socket = connect({ port: httpPort, host: '127.0.0.1' });
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 300));
    if (client === 'leaves') socket.destroy();
  }

  /** Returns the time from the signal to the process exit, in milliseconds. */
  async function end(server: TestServer): Promise<number> {
    const began = performance.now();
    server.signal('SIGTERM');
    let code: number | null = null;
    void server.started.ended.then((ended) => (code = ended.code));
    await until(() => code !== null, 'the end of the process', 25_000);
    expect(code).to.equal(0);
    return performance.now() - began;
  }

  for (const [what, how, grace, workers, client, max] of [
    ['a handler that never completes after its client has disconnected', 'handle', null, 1, 'leaves', 6000],
    ['a worker with a blocked event loop beyond the grace period', 'spin', '200ms', 1, 'stays', 9000],
    ['a disposer that never completes', 'dispose', null, 0, 'none', 9000],
    ['a timer that a module left running', 'timer', null, 0, 'none', 4000],
  ] as const) {
    it(`the server shutdown does not wait for ${what} @long`, async () => {
      const server = await run(how, grace, workers);
      await visit(server, client);
      expect(await end(server)).to.be.below(max);
    });
  }

  it('the server shutdown does not wait for a change that never completes @long', async () => {
    const server = await run('well', null, 1);
    const body = config(server.adminPort, server.httpPort, [{ handle: [{ handler: 'stubborn', how: 'provision' }] }]);
    void server.admin('/load', { method: 'POST', body }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await end(server)).to.be.below(15_000);
  });

  it('the server shutdown does not wait for a first configuration that never finishes loading @long', async () => {
    const [admin, http] = [await freePort(), await freePort()];
    const routes = [{ handle: [{ handler: 'stubborn', how: 'provision' }] }];
    const file = await sandbox.write('config.json', config(admin, http, routes));
    const started = sandbox.start(['run', '--config', file, '--module', stubborn, '--workers', '1']);
    await until(() => started.stderr().includes('stubborn: provision'), 'the provisioning that never ends');
    const began = performance.now();
    started.child.kill('SIGTERM');
    expect((await started.ended).code).to.equal(0);
    expect(performance.now() - began).to.be.below(15_000);
  });
});
