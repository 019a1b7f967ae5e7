import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { httpApp } from '@sluice/http-app';
import { serve, withRoutes, type TestServer } from '@sluice/testing';

interface Holder {
  readonly path: string;
  readonly after: string | null;
  readonly connections?: number;
  readonly in_flight: number;
}

const s = 'apps.http.servers.s';
const fast = { match: [{ path: ['/fast'] }], handle: [{ handler: 'static_response', body: 'fast' }] };

describe('dry run and open connections', () => {
  let server: TestServer;
  let silent: Server;
  const reached: Socket[] = [];
  const asked: Promise<unknown>[] = [];
  let slow: object;

  beforeEach(async () => {
    silent = createServer((socket) => void reached.push(socket)).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    slow = {
      match: [{ path: ['/slow'] }],
      handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: `127.0.0.1:${port}` }] }],
    };
    server = await serve(withRoutes([fast, slow as typeof fast], { listen: ['127.0.0.1:0'] }), {
      register: [],
      standard: true,
    });
  });
  afterEach(async () => {
    for (const socket of reached.splice(0)) socket.destroy();
    silent.close();
    await Promise.all(asked.splice(0));
    await server.close();
  });

  const tryRoutes = async (routes: object[]): Promise<readonly Holder[]> => {
    const { status, json } = await server.admin(`/config/apps/http/servers/s/routes?dry_run`, {
      method: 'PATCH',
      json: routes,
    });
    expect(status).to.equal(200);
    return (json() as { readonly held?: readonly Holder[] }).held ?? [];
  };

  const port = (): number => {
    const address = server.reconciler.app(httpApp)?.servers.get('s')?.listeners[0]?.address;
    return typeof address === 'object' && address !== null ? address.port : 0;
  };

  /** Sends a request that receives no response until its upstream stops. */
  const ask = async (): Promise<void> => {
    const before = reached.length;
    asked.push(fetch(`http://127.0.0.1:${port()}/slow`).catch(() => null));
    while (reached.length === before) await sleep(5);
  };

  it('a dry run omits connections if there are none', async () => {
    expect(await tryRoutes([slow])).to.deep.equal([]);
  });

  it('a dry run reports open connections per server, and in-flight requests per route with the old and new paths', async () => {
    for (let i = 0; i < 3; i++) await ask();
    const held = await tryRoutes([slow]);
    expect(held).to.have.deep.members([
      { path: s, after: null, connections: 3, in_flight: 3 },
      { path: `${s}.routes[1]`, after: `${s}.routes[0]`, in_flight: 3 },
    ]);
    const other = await tryRoutes([fast, { ...slow, terminal: true }]);
    expect(other.find(({ path }) => path === `${s}.routes[1]`)).to.include({ after: null, in_flight: 3 });
  });

  it('a dry run no longer reports connections of disconnected clients', async () => {
    await ask();
    expect(await tryRoutes([slow])).to.have.length(2);
    for (const socket of reached.splice(0)) socket.destroy();
    const isBusy = async (): Promise<boolean> =>
      (await tryRoutes([slow])).some(({ in_flight: inProgress }) => inProgress > 0);
    while (await isBusy()) await sleep(20);
  });
});
