/** Tests that `http.handlers.concurrency_limit` enforces the exact limit across workers while the configuration changes. */
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { says, TestServer } from '../../support/server.ts';
import { Sandbox } from '../../support/sandbox.ts';

const total = Number(process.env['SLUICE_TRIAL_REQUESTS'] ?? 20_000);
const clients = 64;
const max = 5;

describe('http.handlers.concurrency_limit with 4 workers', function () {
  this.timeout(600_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  it(`concurrency_limit serves ${total} requests, at most ${max} at the same time, while unrelated routes change`, async () => {
    let current = 0;
    let peak = 0;
    const upstream = createServer((_request, response) => {
      peak = Math.max(peak, ++current);
      setImmediate(() => {
        current--;
        response.end('ok');
      });
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    const { port } = upstream.address() as AddressInfo;
    const limit = { handler: 'concurrency_limit', name: 'l', max, queue: clients, queue_timeout: '30s' };
    const proxy = { handler: 'reverse_proxy', upstreams: [{ dial: `127.0.0.1:${port}` }] };
    const server = await TestServer.run(sandbox, [{ handle: [limit, proxy] }], ['--workers', '4']);
    let changes = 0;
    let going = true;
    const change = async (): Promise<void> => {
      for (; going; changes++) {
        const added = { match: [{ host: [`h${changes}.test`] }], ...says('other') };
        const path = '/config/apps/http/servers/s/routes/0';
        if (changes % 2 === 0) await server.admin(path, { method: 'PUT', body: added });
        else await server.admin(path, { method: 'DELETE' });
      }
    };
    const changing = change();
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    const statuses: Record<number, number> = {};
    let left = total;
    const client = async (): Promise<void> => {
      while (left-- > 0) {
        const status = await new Promise<number>((resolve, reject) => {
          request({ port: server.httpPort, host: '127.0.0.1', agent }, (response) => {
            response.resume().on('end', () => resolve(response.statusCode ?? 0));
          })
            .on('error', reject)
            .end();
        });
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    going = false;
    await changing;
    agent.destroy();
    expect(statuses).to.deep.equal({ 200: total });
    expect(peak).to.equal(max);
    expect(changes).to.be.greaterThan(10);
    await sleep(50);
    expect((await server.admin('/metrics')).text).to.match(
      /sluice_concurrency_limit_requests\{limit="l",state="running"\} 0/,
    );
    upstream.closeAllConnections();
    upstream.close();
  });
});
