import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../support/sandbox.ts';
import { valuePath, type FleetServer } from './fleet-of-three.ts';
import type { StoreEngine, StoreServer } from './store-servers.ts';
import { describeFleet, type FleetSuite } from './suite.ts';

interface Rollout {
  readonly id: string;
  readonly state: string;
  readonly why?: string;
  readonly members: readonly string[];
  readonly stage: number;
  readonly stages: readonly string[];
  readonly revision?: number;
  readonly coordinator: string;
  readonly seen: { readonly new: { readonly requests: number }; readonly old: { readonly requests: number } };
}

/** Sends a request on a new connection. Returns the status, or 0 if an error occurs. */
function statusOf(port: number): Promise<number> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/', agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    request.once('error', () => resolve(0));
  });
}

const handler = 'config/apps/http/servers/s/routes/0/handle/0';

/** Registers rollout tests with three servers of one fleet. */
export function describeRollouts(engine: StoreEngine): void {
  describeFleet(
    `a rollout over three servers on ${engine.name}`,
    { engine, routes: 10, timeout: 180_000 },
    testRollouts,
  );
}

function testRollouts({ servers, server }: FleetSuite<StoreServer>): void {
  before(() =>
    until(async () => {
      const { members } = (await server(0).get('fleet')) as { members: { ready?: boolean }[] };
      return members.length === 3 && members.every(({ ready }) => ready);
    }, 'all members are ready'),
  );

  const rollout = async (): Promise<Rollout> => (await server(1).get('fleet/rollout')) as Rollout;
  const begin = (index: number, path: string, value: unknown, headers = {}) =>
    server(index).ask('PATCH', path, value, headers);
  const ends = async (state: string, timeout = 60_000): Promise<Rollout> => {
    await until(async () => ['promoted', 'taken_back'].includes((await rollout()).state), 'rollout completed', timeout);
    const last = await rollout();
    expect(last.state, last.why).to.equal(state);
    return last;
  };
  const served = (): Promise<string[]> => Promise.all(servers.map((each) => each.serve()));

  /** Sends requests to all members while `work` runs. */
  async function withTraffic<T>(work: () => Promise<T>): Promise<T> {
    const load = { goesOn: true };
    const asking = servers.map(async (each) => {
      for (; load.goesOn; await sleep(4)) await each.serve().catch(() => '');
    });
    try {
      return await work();
    } finally {
      load.goesOn = false;
      await Promise.all(asking);
    }
  }

  it('a good change is first tested on one fleet member and then rolled out to all members @long', async () => {
    await withTraffic(async () => {
      const begun = await begin(0, `${valuePath}?rollout=canary:1,all;hold=5s`, 'tried', {
        'Idempotency-Key': 'the-rollout',
      });
      expect([begun.status, begun.headers['location']]).to.deep.equal([202, '/fleet/rollout']);
      await until(async () => (await rollout()).state === 'holding', 'one member has it');
      // The rollout is paused, so it cannot advance during slow checks.
      expect((await server(2).ask('POST', 'fleet/rollout/pause')).status).to.equal(202);
      await until(async () => (await rollout()).why === 'paused by c', 'it waits');
      expect((await served()).toSorted()).to.deep.equal(['first', 'first', 'tried']);
      const { members, id } = await rollout();
      expect([members.length, id]).to.deep.equal([1, 'the-rollout']);
      // The canary must count requests of the route under the route's own path.
      const canary = servers.find(({ name }) => name === members[0]) as FleetServer;
      const counted = async (): Promise<number> => {
        const { routes } = (await canary.get('stats')) as { routes: { path: string; requests: number }[] };
        return routes.find(({ path }) => path === 'apps.http.servers.s.routes[0]')?.requests ?? 0;
      };
      const before = await counted();
      await canary.serve();
      await until(async () => (await counted()) > before, 'requests are counted for the route that changed');
      // All members must have the shared document.
      for (const each of servers) expect(await each.get(valuePath)).to.equal('first');
      const other = await server(2).ask('PATCH', valuePath, 'in between');
      expect([other.status, other.text]).to.satisfy(
        ([status, text]: [number, string]) => status === 409 && text.includes('the-rollout'),
      );
      expect((await begin(2, `${valuePath}?rollout=canary:1,all`, 'another')).status).to.equal(409);
      expect((await server(0).ask('POST', 'fleet/rollout/resume')).status).to.equal(202);
      const { revision } = await ends('promoted');
      await until(async () => (await served()).every((text) => text === 'tried'), 'all have it');
      const [entry] = (await server(0).get('fleet/history')) as { revision: number; op: string }[];
      expect(entry).to.include({ revision, op: 'the-rollout' });
    });
    const again = await begin(1, `${valuePath}?rollout=canary:1,all;hold=2s`, 'tried', {
      'Idempotency-Key': 'the-rollout',
    });
    expect(again.status).to.equal(200);
    expect((await server(0).ask('PATCH', valuePath, 'first')).status).to.equal(200);
  });

  it('a rollout of a change that causes failing requests is rolled back on all members', async () => {
    await until(async () => (await served()).every((text) => text === 'first'), 'all have the first');
    const before = (await server(0).get('fleet')) as { revision: number };
    await withTraffic(async () => {
      const broken = { handler: 'static_response', status_code: 503, body: 'broken' };
      expect((await begin(1, `${handler}?rollout=canary:1,all;hold=2s`, broken)).status).to.equal(202);
      const { why, seen } = await ends('taken_back');
      expect(why).to.match(
        /^100\.0 % of the requests to changed routes failed with 5xx responses from this server, compared to 0\.0 %/,
      );
      expect(seen.new.requests).to.be.greaterThan(0);
    });
    await until(async () => (await served()).every((text) => text === 'first'), 'none has it');
    expect(await server(0).get('fleet')).to.have.property('revision', before.revision);
    const { text } = await server(0).ask('GET', 'metrics');
    expect(text).to.match(/^sluice_fleet_rollout\{phase="taken_back"\} 1$/m);
  });

  it('a bad change is rolled back on the first fleet member, and no other member receives the change', async () => {
    await until(async () => (await served()).every((text) => text === 'first'), 'all have the first');
    const broken = { handler: 'static_response', status_code: 503, body: 'broken' };
    const plan = encodeURIComponent('canary:1,all;first=20%,50%;hold=20s');
    const statuses = servers.map(() => new Map<number, number>());
    const load = { goesOn: true };
    // Each request uses a new connection. The connection determines whether the request is handled with the change.
    const asking = servers.map(async (each, i) => {
      for (; load.goesOn; await sleep(4)) {
        const status = await statusOf(each.httpPort);
        statuses[i]?.set(status, (statuses[i]?.get(status) ?? 0) + 1);
      }
    });
    try {
      expect((await begin(1, `${handler}?rollout=${plan}`, broken)).status).to.equal(202);
      const { why, members, stage, stages } = await ends('taken_back');
      expect(why).to.match(/^100\.0 % of the requests to changed routes failed with 5xx responses from this server/);
      expect([members.length, stage, stages]).to.deep.equal([1, 0, ['first:20%', 'first:50%', 'canary:1', 'all']]);
      const hurt = servers.filter((_, i) => (statuses[i]?.get(503) ?? 0) > 0).map(({ name }) => name);
      expect(hurt).to.deep.equal(members);
      const [first] = servers.flatMap(({ name }, i) => (name === members[0] ? [statuses[i]] : []));
      // If the changed configuration handles 20 % of the connections, the failures must number less than half of the successes.
      expect(first?.get(503) ?? 0).to.be.lessThan((first?.get(200) ?? 0) / 2);
    } finally {
      load.goesOn = false;
      await Promise.all(asking);
    }
    // The first member drops the change up to a second after the decision. Until then, one of five connections fails.
    await until(async () => {
      const ports = servers.flatMap(({ httpPort }) => Array.from({ length: 60 }, () => httpPort));
      return (await Promise.all(ports.map(statusOf))).every((status) => status === 200);
    }, 'none has it');
  });

  it('a good change passes all steps on the first fleet member before it reaches the other members @long', async () => {
    const plan = encodeURIComponent('canary:1,all;first=30%,60%;hold=1s;by=connection');
    const longest = 150_000;
    const load = { goesOn: true };
    expect((await begin(2, `${valuePath}?rollout=${plan}`, 'stepped')).status).to.equal(202);
    await until(async () => (await rollout()).members.length === 1, 'one member has it');
    const [canary] = (await rollout()).members;
    // Each step needs 300 requests to the first member, both with and without the change. The other members need fewer.
    const asking = servers.flatMap(({ name, httpPort }) =>
      Array.from({ length: name === canary ? 2 : 1 }, async () => {
        for (; load.goesOn; await sleep(name === canary ? 3 : 10)) await statusOf(httpPort);
      }),
    );
    try {
      await ends('promoted', longest);
      await until(async () => (await served()).every((text) => text === 'stepped'), 'all have it');
    } finally {
      load.goesOn = false;
      await Promise.all(asking);
    }
    expect((await server(0).ask('PATCH', valuePath, 'first')).status).to.equal(200);
  });

  it('a rollout without traffic pauses, and can be resumed and aborted @long', async () => {
    expect((await begin(0, `${valuePath}?rollout=canary:1,50%,all;hold=1s`, 'unseen')).status).to.equal(202);
    await until(async () => (await rollout()).state === 'paused', 'the rollout waits for requests');
    expect((await rollout()).why).to.include('too few requests to evaluate stage canary:1');
    expect((await server(2).ask('POST', 'fleet/rollout/resume')).status).to.equal(202);
    await until(async () => (await rollout()).members.length === 2, 'two members have it');
    await until(async () => (await rollout()).state === 'paused', 'the rollout waits for requests again');
    expect((await server(2).ask('POST', 'fleet/rollout/abort')).status).to.equal(202);
    expect((await ends('taken_back')).why).to.equal('aborted by c');
    await until(async () => (await served()).every((text) => text === 'first'), 'none has it');
    expect((await server(2).ask('POST', 'fleet/rollout/abort')).status).to.equal(409);
  });

  it('a rollout supports changes larger than the maximum value size of the store', async () => {
    const large = randomBytes(1_500_000).toString('hex');
    const begun = await begin(0, `${valuePath}?rollout=canary:1,all;hold=10s`, large);
    expect(begun.status, begun.text.slice(0, 200)).to.equal(202);
    await until(async () => (await served()).filter((text) => text === large).length === 1, 'one member serves it');
    expect((await server(1).ask('POST', 'fleet/rollout/abort')).status).to.equal(202);
    await ends('taken_back');
    await until(async () => (await served()).every((text) => text === 'first'), 'none has it');
  });

  it('a change that a fleet member cannot load is rolled back immediately, and an invalid change is rejected', async () => {
    expect((await begin(0, `${handler}/handler?rollout=canary:1,all`, 'nothing')).status).to.equal(500);
    expect((await begin(0, `${valuePath}?rollout=canary:3,all`, 'x')).status).to.equal(409);
    expect((await begin(0, `${valuePath}?rollout=some`, 'x')).status).to.equal(400);
  });

  it('another fleet member takes over when the coordinator is killed, and all members end up with the same document @long', async () => {
    await begin(0, `${valuePath}?rollout=canary:1,all;hold=3s`, 'survives');
    await until(async () => (await rollout()).state === 'holding', 'it is looked at');
    const { coordinator, members } = await rollout();
    const at = servers.findIndex(({ name }) => name === coordinator);
    const began = performance.now();
    await server(at).kill();
    if (members.includes(coordinator)) await ends('taken_back');
    else {
      await until(async () => (await rollout()).coordinator !== coordinator, 'another goes on', 60_000);
      await server(at + 1).ask('POST', 'fleet/rollout/abort');
      await ends('taken_back');
    }
    process.stdout.write(`        after ${Math.round(performance.now() - began)} ms all have one document again\n`);
    await server(at).run();
    await until(async () => (await served()).every((text) => text === 'first'), 'none has it');
  });
}
