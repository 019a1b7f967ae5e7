import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { config, says, send, TestServer } from '../support/server.ts';

const drip = fileURLToPath(new URL('../fixtures/drip', import.meta.url));
const lines = 60;

function at(path: string, handler: object): object {
  return { match: [{ path: [path] }], handle: [handler] };
}

const routes = [
  at('/kept', { handler: 'static_response', body: 'kept' }),
  at('/drip', { handler: 'drip', count: lines, pause_ms: 100 }),
  at('/changed', { handler: 'static_response', body: 'first' }),
  says('else'),
];

/** Returns the text of a slow response, and the longest pause in milliseconds. */
function stream(port: number): Promise<{ text: string; gap: number }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path: '/drip', agent: false }, (response) => {
      let [text, gap, last] = ['', 0, performance.now()];
      response.setEncoding('utf8').on('data', (chunk: string) => {
        gap = Math.max(gap, performance.now() - last);
        last = performance.now();
        text += chunk;
      });
      response.on('error', reject).on('end', () => resolve({ text, gap }));
    });
    outgoing.on('error', reject).end();
  });
}

describe('server during configuration changes', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(() => sandbox.remove());

  it('200 changes to other routes interrupt none of 500 keep-alive connections and 200 slow responses', async function () {
    this.timeout(60_000);
    const server = await TestServer.run(sandbox, routes, ['--workers', '2', '--module', drip]);
    const agents = Array.from({ length: 500 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const sockets = new Set<number>();
    const visit = async (): Promise<void> => {
      for (const part of [agents.slice(0, 250), agents.slice(250)]) {
        await Promise.all(
          part.map(async (agent) => {
            expect((await server.http('/kept', { agent })).text).to.equal('kept');
            for (const list of Object.values(agent.freeSockets))
              for (const socket of list ?? []) sockets.add((socket as unknown as { localPort: number }).localPort);
          }),
        );
      }
    };
    await visit();
    const streams = Array.from({ length: 200 }, () => stream(server.httpPort));
    const list = '/config/apps/http/servers/s/routes';
    for (let i = 0; i < 200; i++) {
      const kind = i % 4;
      const response =
        kind === 0
          ? await server.admin(`${list}/2/handle/0/body`, { method: 'PATCH', body: `body ${i}` })
          : kind === 1
            ? await server.admin(`${list}/2`, {
                method: 'PUT',
                body: at(`/new-${i}`, { handler: 'static_response', body: String(i) }),
              })
            : kind === 2
              ? await server.admin(`${list}/2`, { method: 'DELETE' })
              : await server.admin(`${list}/0/handle/0/body`, { method: 'PATCH', body: 5 });
      expect(response.status, response.text).to.equal(kind === 3 ? 500 : 200);
    }
    await visit();
    const expected = Array.from({ length: lines }, (_, i) => `${i}\n`).join('');
    for (const { text, gap } of await Promise.all(streams)) {
      expect(text).to.equal(expected);
      expect(gap).to.be.below(2000);
    }
    expect(sockets.size).to.equal(500);
    for (const agent of agents) agent.destroy();
    expect(await server.stop()).to.include({ code: 0 });
  });

  it('after a failed load, the server keeps the previous configuration and releases all resources of the new one', async () => {
    const server = await TestServer.run(sandbox, routes, ['--workers', '2', '--module', drip]);
    const before = (await server.admin('/config/')).text;
    const [taken, free] = [await freePort(), await freePort()];
    const other = createServer().listen(taken, '127.0.0.1');
    await once(other, 'listening');
    const next = config(server.adminPort, server.httpPort, [says('new')]) as {
      apps: { http: { servers: Record<string, unknown> } };
    };
    next.apps.http.servers = {
      ...next.apps.http.servers,
      fresh: { listen: [`127.0.0.1:${free}`] },
      taken: { listen: [`127.0.0.1:${taken}`] },
    };
    const response = await server.admin('/load', { method: 'POST', body: next });
    other.close();
    expect(response.status).to.equal(400);
    expect(response.text).to.include(String(taken));
    expect((await server.admin('/config/')).text).to.equal(before);
    expect((await server.http('/kept')).text).to.equal('kept');
    expect((await server.http('/other')).text).to.equal('else');
    expect(await send(free, '/').then(() => 'bound', String)).to.match(/ECONNREFUSED/);
    expect(await server.stop()).to.include({ code: 0 });
  });
});
