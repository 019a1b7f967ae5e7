import { createServer, type AddressInfo, type Server } from 'node:net';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Sandbox, until } from '../support/sandbox.ts';
import { config, says, TestServer } from '../support/server.ts';

describe('access logs of four workers', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  /** Starts a server with four workers and the given access log. */
  const start = (log: object): Promise<TestServer> => {
    const logs = { default: { exclude: ['http.log.access'] }, access: { include: ['http.log.access'], ...log } };
    const configuration = (admin: number, http: number): unknown => ({
      ...config(admin, http, [says('x')], { logs: {} }),
      logging: { logs },
    });
    return TestServer.runWith(sandbox, configuration, ['--workers', '4']);
  };

  it('access logs go to standard error until the log socket becomes available', async function () {
    this.timeout(30_000);
    const port = await freePort();
    const server = await start({ writer: { output: 'net', address: `127.0.0.1:${port}`, soft_start: true } });
    const ask = (): Promise<unknown> => Promise.all(Array.from({ length: 8 }, () => server.http('/before')));
    await ask();
    await until(
      () => server.log.filter(({ msg }) => msg === 'handled request').length === 8,
      'lines on standard error',
    );
    let got = '';
    const peer: Server = createServer((socket) => socket.on('data', (bytes) => (got += bytes.toString())));
    await new Promise<void>((resolve) => peer.listen(port, '127.0.0.1', resolve));
    expect((peer.address() as AddressInfo).port).to.equal(port);
    await until(() => got.split('\n').length === 9, 'lines at the peer');
    await server.stop();
    await new Promise((resolve) => peer.close(resolve));
  });

  it('access logs are sampled across all threads of the server', async function () {
    this.timeout(30_000);
    const file = sandbox.path('access.log');
    const sampling = { interval: 3_600_000_000_000, first: 5, thereafter: 10 };
    const server = await start({ writer: { output: 'file', filename: file }, sampling });
    // Uses separate connections so that every worker receives some.
    for (let i = 0; i < 41; i++) await Promise.all(Array.from({ length: 5 }, () => server.http('/')));
    await server.stop();
    expect(readFileSync(file, 'utf8').split('\n').filter(Boolean)).to.have.length(5 + 20);
  });
});
