import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort } from '@sluice/testing';
import { Sandbox, until } from '../../support/sandbox.ts';
import { config, says, TestServer } from '../../support/server.ts';
import { Load, openStream, openWebSocket, startUpstream, type Lasting } from '../../rollout/support.ts';

const size = {
  streams: Number(process.env['SLUICE_TEST_STREAMS'] ?? 300),
  webSockets: Number(process.env['SLUICE_TEST_WEBSOCKETS'] ?? 50),
};

interface Rollout {
  readonly state: string;
  readonly why?: string;
  readonly stage: number;
  readonly decided?: string;
  readonly reverted_ms?: number;
}

/** Returns a route to an upstream. Its response contains `side`, which identifies the configuration that handled the request. */
function proxy(upstream: number, side: string): object {
  return {
    handle: [
      {
        handler: 'reverse_proxy',
        upstreams: [{ dial: `127.0.0.1:${upstream}` }],
        headers: { response: { set: { 'X-Side': [side] } } },
      },
    ],
  };
}

const routePath = '/config/apps/http/servers/s/routes/0';

describe('gradual rollouts under load', () => {
  let sandbox: Sandbox;
  let server: TestServer;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;

  const rollout = async (): Promise<Rollout> => JSON.parse((await server.admin('/rollout')).text) as Rollout;
  const start = async (plan: string, route: object): Promise<void> => {
    const response = await server.admin(`${routePath}?rollout=${encodeURIComponent(plan)}`, {
      method: 'PATCH',
      body: route,
    });
    expect(response.status, response.text).to.equal(202);
  };

  beforeEach(async () => {
    sandbox = new Sandbox();
    upstream = await startUpstream();
    server = await TestServer.runWith(
      sandbox,
      (admin, http) => config(admin, http, [proxy(upstream.port, 'old'), says('else')]),
      ['--workers', '2'],
    );
  });
  afterEach(async () => {
    await server.stop();
    upstream.close();
    await sandbox.remove();
  });

  it(`a rollout keeps ${size.streams} streams and ${size.webSockets} WebSockets open through start, steps and rollback`, async function () {
    this.timeout(120_000);
    const lasting: Lasting[] = [];
    const open = async (part: number): Promise<void> => {
      for (let i = 0; i < size.streams / part; i++) lasting.push(await openStream(server.httpPort));
      for (let i = 0; i < size.webSockets / part; i++) lasting.push(await openWebSocket(server.httpPort));
    };
    await open(2);
    await start('50%,90%,all;hold=2s,1h', proxy(upstream.port, 'new'));
    await open(2);
    const load = new Load(server.httpPort, '/', 10);
    await until(async () => (await rollout()).stage === 1, 'the second stage');
    await server.admin('/rollout/abort', { method: 'POST' });
    await sleep(1000);
    await load.stop();
    const closed = lasting.filter(({ isClosed }) => isClosed).length;
    const before = lasting.map(({ pieces }) => pieces);
    await sleep(1500);
    const stalled = lasting.filter(({ pieces }, i) => pieces <= (before[i] ?? 0)).length;
    const onCanary = lasting.filter(({ side }) => side === 'new').length;
    expect({ closed, stalled, failed: [...load.statuses.keys()] }).to.deep.equal({
      closed: 0,
      stalled: 0,
      failed: [200],
    });
    expect(lasting.length).to.be.at.least(size.streams + size.webSockets);
    expect(onCanary).to.be.at.least((size.streams + size.webSockets) / 8);
    for (const each of lasting) each.close();
  });

  const failing = { handle: [{ handler: 'static_response', status_code: 500 }] };
  for (const [title, faulty, reason] of [
    ['responds with 500', async () => failing, 'failed with 5xx responses from this server'],
    ['is slow', async () => proxy((await slowUpstream()).port, 'new'), 'took longer than'],
    ['has no upstream', async () => proxy(await freePort(), 'new'), 'due to an upstream'],
  ] as const)
    it(`a rollout of a change that ${title} is rolled back at the 1 % step, within a second of the decision`, async function () {
      this.timeout(60_000);
      const load = new Load(server.httpPort, '/', 30);
      await start('1%,10%,50%,all;hold=20s;by=header:X-User', await faulty());
      await until(async () => (await rollout()).state === 'taken_back', 'the rollback', 30_000);
      await until(async () => (await rollout()).reverted_ms !== undefined, 'the end of the canary');
      const { stage, why, reverted_ms: reverted } = await rollout();
      const time = performance.now();
      await sleep(2000);
      await load.stop();
      expect(stage).to.equal(0);
      expect(why).to.include(reason);
      expect(reverted).to.be.lessThan(1000);
      expect(load.failedSince(time)).to.equal(0);
      expect(load.statuses.get(0) ?? 0).to.equal(0);
    });

  it('a rollout of a good change is not stopped', async function () {
    this.timeout(90_000);
    const load = new Load(server.httpPort, '/', 30);
    await start('1%,10%,50%,all;hold=4s;by=header:X-User', proxy(upstream.port, 'new'));
    await until(
      async () => {
        const { state } = await rollout();
        return state === 'promoted' || state === 'taken_back';
      },
      'the end of the rollout',
      80_000,
    );
    await load.stop();
    expect(await rollout()).to.include({ state: 'promoted' });
    expect([...load.statuses.keys()]).to.deep.equal([200]);
  });

  let slow: Awaited<ReturnType<typeof startUpstream>> | null = null;
  const slowUpstream = async (): Promise<{ readonly port: number }> => (slow = await startUpstream(400));
  after(() => slow?.close());
});
