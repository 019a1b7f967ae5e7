import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer, get, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { SocketFile } from '@sluice/base';
import { InheritedSockets } from '../../src/process/shared-sockets.ts';
import { Sandbox, until } from '../support/sandbox.ts';
import { config, says, send, TestServer } from '../support/server.ts';

const crash = fileURLToPath(new URL('../fixtures/crash', import.meta.url));
const lateFailure = fileURLToPath(new URL('../fixtures/late-failure', import.meta.url));
const stubborn = fileURLToPath(new URL('../fixtures/stubborn', import.meta.url));

describe('server upgrades', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  /** IDs of successor processes, which the sandbox does not track. */
  const successors: number[] = [];
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(async () => {
    for (const pid of successors.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    await sandbox.remove();
  });

  /** Upgrades the server through the admin API. */
  async function upgrade(server: TestServer): Promise<number> {
    const { status, text } = await server.admin('/upgrade', { method: 'POST' });
    expect(status, text).to.equal(200);
    const { pid } = JSON.parse(text) as { pid: number };
    successors.push(pid);
    return pid;
  }

  for (const workers of ['0', '2']) {
    it(`an upgrade under load neither refuses connections nor interrupts requests, with --workers ${workers} @long`, async () => {
      const pidfile = sandbox.path('pid');
      const server = await TestServer.run(sandbox, [says('one')], ['--workers', workers, '--pidfile', pidfile]);
      const body = '/config/apps/http/servers/s/routes/0/handle/0/body';
      expect((await server.admin(body, { method: 'PATCH', body: 'changed' })).status).to.equal(200);
      let going = true;
      let count = 0;
      const load = Array.from({ length: 4 }, async () => {
        for (; going; count++) expect((await server.http()).text).to.equal('changed');
      });
      const first = await upgrade(server);
      expect(readFileSync(pidfile, 'utf8').trim()).to.equal(String(first));
      expect(await exitCode(server)).to.equal(0);
      const soFar = count;
      await until(() => count > soFar + 50, 'requests that the new process responds to');
      // The new process can be upgraded again. It has the change that was never saved to a file.
      const second = await upgrade(server);
      expect(second).not.to.equal(first);
      await until(() => !isRunning(first), 'the end of the process between');
      going = false;
      await Promise.all(load);
      expect(readFileSync(pidfile, 'utf8').trim()).to.equal(String(second));
      process.kill(second, 'SIGTERM');
      await until(() => !isRunning(second), 'the end of the last process');
      expect(existsSync(pidfile)).to.equal(false);
    });
  }

  it('an upgrade lets in-flight responses complete @long', async () => {
    const upstream = createServer((_request, response) => {
      response.write('begun');
      finish = () => response.end(', and done');
    }).listen(0, '127.0.0.1');
    let finish = (): void => undefined;
    await once(upstream, 'listening');
    const dial = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const proxy = { handle: [{ handler: 'reverse_proxy', upstreams: [{ dial }], flush_interval: -1 }] };
    const server = await TestServer.run(sandbox, [proxy]);
    const [response] = (await once(get({ port: server.httpPort, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const ended = once(response, 'end');
    await until(() => text === 'begun', 'the beginning of the response');
    await upgrade(server);
    await server.logged('this process is completing');
    finish();
    await ended;
    expect(text).to.equal('begun, and done');
    expect(await exitCode(server)).to.equal(0);
    upstream.close();
    upstream.closeAllConnections();
  });

  it('an upgrade hands over Unix sockets, including the admin endpoint', async () => {
    const [admin, http] = [sandbox.path('admin.sock'), sandbox.path('http.sock')];
    const document = {
      admin: { listen: `unix/${admin}` },
      apps: { http: { servers: { s: { listen: [`unix/${http}`], routes: [says('one')] } } } },
    };
    const file = await sandbox.write('config.json', document);
    const server = await TestServer.start(sandbox, ['--config', file], 0, 0);
    const ask = async (socketPath: string, path: string, method = 'GET'): Promise<string> => {
      const sent = request({ socketPath, path, method, agent: false, headers: { Host: 'x' } }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return (await response.setEncoding('utf8').toArray()).join('');
    };
    const { pid } = JSON.parse(await ask(admin, '/upgrade', 'POST')) as { pid: number };
    successors.push(pid);
    expect(await exitCode(server)).to.equal(0);
    expect(await ask(http, '/')).to.equal('one');
    expect(JSON.parse(await ask(admin, '/config/admin'))).to.deep.equal(document.admin);
    process.kill(pid, 'SIGTERM');
    await until(() => !isRunning(pid), 'the end of the new process');
    expect([existsSync(admin), existsSync(http)]).to.deep.equal([false, false]);
  });

  it('the old process continues if the new process does not start', async () => {
    const module = sandbox.path('stubborn');
    cpSync(stubborn, module, { recursive: true });
    const server = await TestServer.run(sandbox, [says('one')], ['--module', module]);
    rmSync(module, { recursive: true });
    const { status, text } = await server.admin('/upgrade', { method: 'POST' });
    expect([status, text]).to.deep.equal([
      500,
      '{"error":"the new process exited immediately (exit code 1); this process continues to serve requests"}\n',
    ]);
    expect((await server.http()).text).to.equal('one');
    expect((await server.admin('/config/apps', { method: 'DELETE' })).status).to.equal(200);
  });

  for (const workers of ['0', '2']) {
    it(`the old process serves without interruption if the new process fails after inheriting the sockets, with --workers ${workers} @long`, async () => {
      const failing = sandbox.path('failing');
      const [admin, first, second] = [await freePort(), await freePort(), await freePort()];
      const document = config(admin, first, [says('one')]) as { apps: { http: { servers: Record<string, object> } } };
      const { servers } = document.apps.http;
      const socket = sandbox.path('http.sock');
      servers['s'] = { ...servers['s'], listen: [`127.0.0.1:${first}`, `unix/${socket}`] };
      const routes = [{ handle: [{ handler: 'late_failure', file: failing }] }];
      servers['t'] = { listen: [`127.0.0.1:${second}`], automatic_https: { disable: true }, routes };
      const file = await sandbox.write('config.json', document);
      const args = ['--config', file, '--module', lateFailure, '--workers', workers];
      const server = await TestServer.start(sandbox, args, admin, first);
      let going = true;
      const outcomes = new Map<string, number>();
      const load = Array.from({ length: 8 }, async () => {
        while (going) {
          const outcome = await server.http().then(({ text }) => text, String);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      });
      await sandbox.write('failing', '');
      const { status, text } = await server.admin('/upgrade', { method: 'POST' });
      expect([status, text]).to.deep.equal([
        500,
        '{"error":"the new process exited immediately (exit code 1); this process continues to serve requests"}\n',
      ]);
      going = false;
      await Promise.all(load);
      expect([...outcomes.keys()]).to.deep.equal(['one']);
      expect((await unixGet(socket)).text).to.equal('one');
      rmSync(failing);
      await upgrade(server);
      expect(await exitCode(server)).to.equal(0);
      expect((await server.http()).text).to.equal('one');
      expect((await unixGet(socket)).text).to.equal('one');
    });
  }

  it('SIGUSR2 and the upgrade command start an upgrade @long', async () => {
    const server = await TestServer.run(sandbox, [says('one')]);
    server.signal('SIGUSR2');
    await server.logged('this process is completing');
    const pid = server.log.findLast(({ msg }) => msg.includes('this process is completing'))?.pid;
    successors.push(Number(pid));
    expect(await exitCode(server)).to.equal(0);
    const address = `127.0.0.1:${server.adminPort}`;
    const { code, stdout } = await sandbox.run(['upgrade', '--exec', '--address', address]);
    successors.push(Number(/(\d+)\n$/.exec(stdout)?.[1]));
    expect([code, stdout]).to.deep.equal([0, `the server at ${address} handed over to process ${successors[1]}\n`]);
    await until(() => !isRunning(successors[0] ?? 0), 'the end of the process between');
    expect((await server.http()).text).to.equal('one');
  });

  it('a replacement worker gets new sockets after an upgrade @long', async () => {
    const routes = [{ match: [{ path: ['/exit'] }], handle: [{ handler: 'crash', how: 'exit' }] }, says('well')];
    const server = await TestServer.run(sandbox, routes, ['--workers', '2', '--module', crash]);
    await upgrade(server);
    expect(await exitCode(server)).to.equal(0);
    const logged = (message: string): number => server.log.filter(({ msg }) => msg === message).length;
    for (let times = 1; times <= 3; times++) {
      await server.http('/exit').catch(() => null);
      await until(() => logged('new worker is serving') === times, 'the worker that replaces another one');
    }
    expect(logged('worker exited; replacing it')).to.equal(3);
    for (let i = 0; i < 20; i++) expect((await server.http()).text).to.equal('well');
    expect((await server.admin('/config/apps', { method: 'DELETE' })).status).to.equal(200);
  });

  it('an upgrade is rejected while a change awaits confirmation', async () => {
    const [admin, http] = [await freePort(), await freePort()];
    const document = config(admin, http, [says('one')]);
    const file = await sandbox.write('config.json', document);
    const server = await TestServer.start(sandbox, ['--config', file], admin, http);
    const load = { method: 'POST', body: document, headers: { 'Confirm-Within': '30s' } };
    expect((await server.admin('/load?confirm_within=30s', load)).status).to.equal(200);
    const changed = config(admin, http, [says('two')]);
    expect((await server.admin('/load?confirm_within=30s', { ...load, body: changed })).status).to.equal(200);
    expect((await server.admin('/upgrade', { method: 'POST' })).status).to.equal(409);
    expect((await send(http, '/')).text).to.equal('two');
  });

  it('each thread receives an equal share of the inherited sockets', () => {
    const all = [
      ['admin tcp/localhost:2019', 4],
      ['tcp/:80', 5],
      ['tcp/:80', 6],
      ['tcp/:80', 7],
      ['unix//run/a', 8],
    ] as const;
    const numbers = (workers: number): number[][] => {
      const sockets = new InheritedSockets(all, workers);
      return Array.from({ length: workers + 1 }, (_, thread) => sockets.take(thread).map(([, number]) => number));
    };
    expect(numbers(2)).to.deep.equal([[4], [5, 7, 8], [6]]);
    expect(numbers(1)).to.deep.equal([[4], [5, 6, 7, 8]]);
    expect(numbers(0)).to.deep.equal([[4, 5, 6, 7, 8]]);
  });

  it('the server does not remove a socket file that another process has bound', async () => {
    const file = new SocketFile(await sandbox.write('socket', ''));
    cpSync(file.path, file.boundPath);
    file.publish(0o600);
    rmSync(file.path);
    await sandbox.write('other', '');
    cpSync(sandbox.path('other'), file.path);
    file.remove();
    expect(existsSync(file.path)).to.equal(true);
  });
});

/** Sends `GET /` to a Unix socket. */
async function unixGet(socketPath: string): Promise<{ readonly text: string }> {
  const sent = request({ socketPath, agent: false, headers: { Host: 'x' } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { text: (await response.setEncoding('utf8').toArray()).join('') };
}

/** Returns the exit code of the first process. Its output stays open because its successors also write to it. */
async function exitCode({ started: { child } }: TestServer): Promise<number | null> {
  await until(() => child.exitCode !== null || child.signalCode !== null, 'the end of the first process');
  return child.exitCode;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
