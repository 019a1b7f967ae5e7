import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';
import { config, says, send, TestServer } from '../support/server.ts';

const drip = fileURLToPath(new URL('../fixtures/drip', import.meta.url));
function at(path: string, handler: object): object {
  return { match: [{ path: [path] }], handle: [handler] };
}

const routes = [
  at('/kept', { handler: 'static_response', body: 'kept' }),
  at('/drip', { handler: 'drip', count: 60, pause_ms: 100 }),
  at('/changed', { handler: 'static_response', body: 'first' }),
  at('/short-drip', { handler: 'drip', count: 15, pause_ms: 100 }),
  says('else'),
];

/** Amount of traffic, and the path and number of lines of the slow responses. */
interface Plan {
  readonly connections: number;
  readonly responses: number;
  readonly changes: number;
  readonly path: string;
  readonly lines: number;
}

/** Returns the text of a slow response, and the longest pause in milliseconds. */
function stream(port: number, path: string): Promise<{ text: string; gap: number }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, agent: false }, (response) => {
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

  it('40 changes to other routes interrupt none of 100 keep-alive connections and 40 slow responses', async function () {
    this.timeout(60_000);
    await changeDuring({ connections: 100, responses: 40, changes: 40, path: '/short-drip', lines: 15 });
  });

  it('200 changes to other routes interrupt none of 500 keep-alive connections and 200 slow responses @long', async function () {
    this.timeout(60_000);
    await changeDuring({ connections: 500, responses: 200, changes: 200, path: '/drip', lines: 60 });
  });

  async function changeDuring({ connections, responses, changes, path, lines }: Plan): Promise<void> {
    const server = await TestServer.run(sandbox, routes, ['--workers', '2', '--module', drip]);
    const agents = Array.from({ length: connections }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const sockets = new Set<number>();
    const visit = async (): Promise<void> => {
      for (const part of [agents.slice(0, connections / 2), agents.slice(connections / 2)]) {
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
    const streams = Array.from({ length: responses }, () => stream(server.httpPort, path));
    const list = '/config/apps/http/servers/s/routes';
    for (let i = 0; i < changes; i++) {
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
    expect(sockets.size).to.equal(connections);
    for (const agent of agents) agent.destroy();
    expect(await server.stop()).to.include({ code: 0 });
  }

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
