import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { nativeProblem } from '@sluice/native';
import { config, says, TestServer, withApps } from '../support/server.ts';
import { Sandbox } from '../support/sandbox.ts';

const crash = fileURLToPath(new URL('../fixtures/crash', import.meta.url));

const route = (path: string, handler: object): object => ({ match: [{ path: [path] }], handle: [handler] });
const routes = [
  route('/exit', { handler: 'crash', how: 'exit' }),
  route('/pause', { handler: 'crash', how: 'loop', seconds: 3 }),
  route('/loop', { handler: 'crash', how: 'loop', seconds: 60 }),
  says('well'),
];

/** Results of a client that opens a new connection for each request. */
interface Seen {
  responses: number;
  errors: string[];
  /** Response times in milliseconds. */
  times: number[];
}

/** Sends requests on new connections, one every 20 ms, until `until` resolves. */
async function ask(server: TestServer, until: Promise<unknown>): Promise<Seen> {
  const seen: Seen = { responses: 0, errors: [], times: [] };
  let going = true;
  const ended = until.finally(() => (going = false));
  const asked: Promise<void>[] = [];
  const one = async (): Promise<void> => {
    const began = performance.now();
    try {
      await server.http();
      seen.responses++;
    } catch (error) {
      seen.errors.push(String(error));
    }
    seen.times.push(performance.now() - began);
  };
  for (; going; await sleep(20)) asked.push(one());
  await ended;
  await Promise.all(asked);
  return seen;
}

describe('connections of an unresponsive worker', function () {
  this.timeout(60_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());
  const start = (workers: string): Promise<TestServer> =>
    TestServer.run(sandbox, routes, ['--workers', workers, '--module', crash]);

  for (const workers of ['1', '2']) {
    it(`the server queues new connections while it replaces a worker, and refuses no connection, with --workers ${workers}`, async function () {
      if (process.platform !== 'linux') this.skip();
      const server = await start(workers);
      const replaced = server.logged('new worker is serving');
      const seen = ask(server, replaced);
      await sleep(100);
      void server.http('/exit').catch(() => null);
      const { errors, responses } = await seen;
      // Requests that the failed worker had accepted are lost, but no connection may be refused.
      expect(errors.filter((error) => error.includes('ECONNREFUSED'))).to.deep.equal([]);
      expect(errors.length).to.be.at.most(2);
      expect(responses).to.be.above(10);
    });
  }

  it('another worker takes over new connections within two seconds, and the unresponsive worker accepts connections again after it recovers @long', async function () {
    if (process.platform !== 'linux') this.skip();
    const server = await start('2');
    const { errors, times } = await ask(server, server.http('/pause'));
    expect(errors).to.deep.equal([]);
    // The unresponsive worker accepted some of the first connections.
    expect(times.filter((time) => time > 2300).length).to.be.at.most(5);
    expect(server.log.filter(({ msg }) => msg.includes('does not react'))).to.deep.equal([]);
    expect((await ask(server, sleep(500))).errors).to.deep.equal([]);
  });

  it('terminating a worker also closes its TLS connections that have no libuv handle @long', async function () {
    if (process.platform !== 'linux' || nativeProblem() !== null) this.skip();
    const tls = { automation: { policies: [{ get_certificate: [{ via: 'selfsigned' }] }] } };
    const server = await TestServer.runWith(
      sandbox,
      (admin, http) => withApps(config(admin, http, routes, { tls_connection_policies: [{}] }), { tls }),
      ['--workers', '1', '--module', crash],
      { env: { SLUICE_NATIVE_TLS: 'on' } },
    );
    const open = async (path: string): Promise<TLSSocket> => {
      const client = connect({
        port: server.httpPort,
        host: '127.0.0.1',
        servername: 'a.test',
        rejectUnauthorized: false,
      });
      client.on('error', () => undefined);
      await once(client, 'secureConnect');
      client.write(`GET ${path} HTTP/1.1\r\nHost: a.test\r\n\r\n`);
      return client;
    };
    const idle = await open('/');
    expect(String((await once(idle, 'data'))[0])).to.contain('well');
    const looping = await open('/loop');
    const closed = [idle, looping].map((client) => new Promise((resolve) => client.once('close', resolve)));
    await Promise.all([server.logged('new worker is serving'), ...closed]);
    const after = await open('/');
    expect(String((await once(after, 'data'))[0])).to.contain('well');
    after.destroy();
  });
});
