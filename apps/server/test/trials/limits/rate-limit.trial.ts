/**
 * Tests that `http.handlers.rate_limit` enforces the exact limit across workers while the configuration changes. `SLUICE_TRIAL_REQUESTS` is
 * the number of requests (default: 20,000). The configuration changes at least once per 1,000 requests.
 */
import { connect } from 'node:net';
import { expect } from 'chai';
import { says, TestServer } from '../../support/server.ts';
import { Sandbox } from '../../support/sandbox.ts';

const total = Number(process.env['SLUICE_TRIAL_REQUESTS'] ?? 20_000);
const connections = 16;
const pipelined = 20;

const zones = (window: string, max: number): object => ({
  z: { key: '{http.request.header.k}', window, max_events: max },
});
const limit = (window: string, max: number, more: object = {}): object => ({
  handler: 'rate_limit',
  rate_limits: zones(window, max),
  ...more,
});

/** Reports whether a connection may send more requests after it has sent the given fraction of its requests. */
type Pace = (part: number) => boolean;

/** Sends requests on one connection, with up to `pipelined` requests at a time. Counts the responses by status. */
function send(port: number, requests: number, mayGoOn: Pace): Promise<Map<string, number>> {
  return new Promise((resolve, reject) => {
    const statuses = new Map<string, number>();
    const socket = connect(port, '127.0.0.1');
    let sent = 0;
    let received = 0;
    let text = '';
    const sendSome = (): void => {
      if (!mayGoOn(sent / requests)) {
        setTimeout(sendSome, 1);
        return;
      }
      const count = Math.min(pipelined, requests - sent);
      sent += count;
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nK: k\r\n\r\n'.repeat(count));
    };
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`the connection ended after ${received} of ${requests} responses`)));
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const parts = text.split('HTTP/1.1 ');
      // The last part may be incomplete. It is counted when more data arrives or as soon as its headers are complete.
      let end = 0;
      for (const part of parts.slice(1)) {
        if (!part.includes('\r\n\r\n')) break;
        const status = part.slice(0, 3);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        received++;
        end++;
      }
      text = parts
        .slice(end + 1)
        .map((part) => `HTTP/1.1 ${part}`)
        .join('');
      if (received === requests) {
        socket.removeAllListeners('close');
        socket.destroy();
        resolve(statuses);
      } else if (received === sent) sendSome();
    });
    sendSome();
  });
}

/** Sends requests on several connections and adds up the counts. */
async function sendAll(port: number, requests: number, mayGoOn: Pace = () => true): Promise<Record<string, number>> {
  const each = requests / connections;
  const found = await Promise.all(Array.from({ length: connections }, () => send(port, each, mayGoOn)));
  const sum: Record<string, number> = {};
  for (const counts of found) for (const [status, count] of counts) sum[status] = (sum[status] ?? 0) + count;
  return sum;
}

describe('http.handlers.rate_limit with 4 workers', function () {
  this.timeout(600_000);
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  it(`rate_limit allows exactly half of ${total} requests while unrelated routes change`, async () => {
    const max = total / 2;
    const routes = [{ handle: [limit('1h', max)] }, says('ok')];
    const server = await TestServer.run(sandbox, routes, ['--workers', '4']);
    const path = '/config/apps/http/servers/s/routes';
    let changes = 0;
    let going = true;
    const change = async (): Promise<void> => {
      while (going) {
        const added = { match: [{ host: [`h${changes}.test`] }], ...says('other') };
        const response =
          changes % 2 === 0
            ? await server.admin(`${path}/0`, { method: 'PUT', body: added })
            : await server.admin(`${path}/0`, { method: 'DELETE' });
        expect(response.status).to.equal(200);
        changes++;
      }
    };
    const changing = change();
    const wanted = total / 1000;
    const statuses = await sendAll(server.httpPort, total, (part) => changes >= part * wanted);
    going = false;
    await changing;
    expect(statuses).to.deep.equal({ 200: max, 429: total - max });
    expect(changes).to.be.at.least(wanted - 1);
  });

  it('rate_limit never allows more than the limit within a sliding window', async () => {
    const [window, max] = [500, 1000];
    const server = await TestServer.run(
      sandbox,
      [{ handle: [limit(`${window}ms`, max)] }, says('ok')],
      ['--workers', '4'],
    );
    const began = performance.now();
    const statuses = await sendAll(server.httpPort, total);
    const elapsed = performance.now() - began;
    const allowed = statuses['200'] ?? 0;
    // Number of rate limit windows in the elapsed time. The first window starts immediately.
    const windows = Math.floor(elapsed / window);
    expect(allowed).to.be.within(Math.min(total, windows * max), (windows + 1) * max);
  });
});
