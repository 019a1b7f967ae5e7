import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { config, TestServer } from '../support/server.ts';

const connections = 20;

/** Sends requests for the hosts numbered `from` to `to` on one connection. */
async function flood(port: number, from: number, to: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  for (let i = from; i < to; i++)
    text += `GET / HTTP/1.1\r\nHost: h${i}.test\r\n${i === to - 1 ? 'Connection: close\r\n' : ''}\r\n`;
  socket.resume().write(text);
  await once(socket, 'close');
}

describe('metrics option observe_catchall_hosts', () => {
  const sandbox = new Sandbox();
  let server: TestServer;
  afterEach(() => server.stop());
  after(() => sandbox.remove());

  /** Returns the number of requests by host, as reported by `/metrics`. */
  async function hosts(): Promise<Map<string, number>> {
    const { text } = await server.admin('/metrics');
    const lines = text.matchAll(/^caddy_http_requests_total\{.*host="([^"]*)".*\} (\d+)$/gm);
    return new Map([...lines].map(([, host, value]) => [host!, Number(value)]));
  }

  async function play(count: number): Promise<void> {
    server = await TestServer.runWith(
      sandbox,
      (admin, http) => {
        const document = config(admin, http, [{ handle: [{ handler: 'static_response', body: 'ok' }] }]);
        const apps = document['apps'] as { http: object };
        return {
          ...document,
          apps: { http: { ...apps.http, metrics: { per_host: true, observe_catchall_hosts: true } } },
        };
      },
      ['--workers', '2'],
    );
    const size = count / connections;
    const parts = Array.from({ length: connections }, (_, i) => flood(server.httpPort, i * size, (i + 1) * size));
    await Promise.all(parts);
    const first = await hosts();
    expect([...first.keys()].filter((host) => host !== '_other')).to.have.length(1000);
    expect([...first.values()].reduce((sum, value) => sum + value, 0)).to.equal(count);
    // Every worker must use the same label for a host, even after a configuration change.
    const [named] = [...first.keys()].filter((host) => host !== '_other');
    await server.admin('/config/apps/http/servers/s/routes/0/handle/0/body', { method: 'PATCH', body: 'changed' });
    for (let i = 0; i < 20; i++) {
      await server.http('/', { headers: { Host: named! } });
      await server.http('/', { headers: { Host: 'another.test' } });
    }
    const second = await hosts();
    expect(second.get(named!)).to.equal(first.get(named!)! + 20);
    expect(second.get('_other')).to.equal(first.get('_other')! + 20);
    expect(second.size).to.equal(1001);
  }

  it('observe_catchall_hosts tracks at most 1,000 hosts across two workers', () => play(4000));
  it('observe_catchall_hosts tracks at most 1,000 hosts across two workers when requests name 100,000 hosts @long', () =>
    play(100_000));
});
