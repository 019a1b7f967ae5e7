/** Tests that the queue of `http.handlers.reverse_proxy` has the exact size and order across workers. */
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { says, TestServer } from '../../support/server.ts';
import { Sandbox } from '../../support/sandbox.ts';

const total = Number(process.env['SLUICE_TRIAL_REQUESTS'] ?? 20_000);
const clients = 64;
const max = 5;
const changesDuring = 100;

describe('http.handlers.reverse_proxy queue with 4 workers', function () {
  this.timeout(600_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  for (const changes of [0, changesDuring])
    it(`the upstream queue sends ${total} requests in order, at most ${max} at the same time, during ${changes} unrelated changes`, async () => {
      let current = 0;
      let peak = 0;
      /** Arrival times at the proxy, in order of arrival at the upstream. */
      const arrivals: number[] = [];
      const upstream = createServer(({ headers }, response) => {
        peak = Math.max(peak, ++current);
        arrivals.push(Number(headers['x-arrived']));
        setImmediate(() => {
          current--;
          response.end('ok');
        });
      });
      await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
      const { port } = upstream.address() as AddressInfo;
      const stamp = { handler: 'headers', request: { set: { 'X-Arrived': ['{time.now.unix_ms}'] } } };
      const proxy = {
        handler: 'reverse_proxy',
        upstreams: [{ dial: `127.0.0.1:${port}`, max_requests: max }],
        load_balancing: { queue: clients, queue_timeout: '30s' },
      };
      const server = await TestServer.run(sandbox, [{ handle: [stamp, proxy] }], ['--workers', '4']);
      let going = true;
      const change = async (): Promise<number> => {
        let done = 0;
        for (; going && done < changes; done++) {
          const added = { match: [{ host: [`h${done}.test`] }], ...says('other') };
          const path = '/config/apps/http/servers/s/routes/0';
          if (done % 2 === 0) await server.admin(path, { method: 'PUT', body: added });
          else await server.admin(path, { method: 'DELETE' });
        }
        return done;
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
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: clients }, client));
      const time = performance.now() - startedAt;
      going = false;
      expect(await changing).to.equal(changes);
      agent.destroy();
      expect(statuses).to.deep.equal({ 200: total });
      expect(peak).to.equal(max);
      const { overtaken, late } = disorder(arrivals);
      if (process.env['SLUICE_TRIAL_FIGURES'] !== undefined)
        process.stdout.write(`${JSON.stringify({ changes, time, overtaken, late })}\n`);
      // A thread may be preempted before it queues a request, and before it sends the request to the upstream. With an unfair queue,
      // hundreds of requests would be overtaken.
      expect(overtaken).to.be.lessThan(4 * clients);
      await sleep(50);
      expect((await server.admin('/metrics')).text).to.match(
        /sluice_reverse_proxy_upstream_queue\{upstream="[^"]+"\} 0/,
      );
      upstream.closeAllConnections();
      upstream.close();
    });
});

/**
 * Returns two maximums over all requests. `overtaken` is the number of later arrivals that were sent before a request. `late` is the time
 * in milliseconds between the arrivals of a request and of a later request that was sent first.
 */
function disorder(arrivals: readonly number[]): { readonly overtaken: number; readonly late: number } {
  let overtaken = 0;
  let late = 0;
  for (const [at, arrival] of arrivals.entries()) {
    let count = 0;
    for (let before = Math.max(0, at - 2000); before < at; before++) {
      const ahead = arrivals[before]! - arrival;
      if (ahead <= 0) continue;
      count++;
      late = Math.max(late, ahead);
    }
    overtaken = Math.max(overtaken, count);
  }
  return { overtaken, late };
}
