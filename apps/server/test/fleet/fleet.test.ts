import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { fleetMetrics } from '@sluice/fleet';
import { Sandbox, until } from '../support/sandbox.ts';
import { says, TestServer } from '../support/server.ts';
import { valuePath } from './fleet-of-three.ts';
import { etcd } from './store-servers.ts';
import { describeFleet } from './suite.ts';

/** Prints a measurement among the test results. */
function print(line: string): void {
  process.stdout.write(`        ${line}\n`);
}

const options = { engine: etcd, routes: 10_000, timeout: 180_000 };

describeFleet('a fleet of three servers on etcd', options, ({ servers, server, store }) => {
  const set = (index: number, value: string, query = '', headers = {}) =>
    server(index).ask('PATCH', valuePath + query, value, headers);
  const documents = async (): Promise<Set<unknown>> =>
    new Set(
      await Promise.all(servers.map(async (each) => ((await each.get('fleet')) as { document: string }).document)),
    );

  it('all fleet members adopt the document of the first member', async () => {
    for (const each of servers) expect(await each.serve()).to.equal('first');
    await until(async () => {
      const { members } = (await server(1).get('fleet')) as { members: { applied?: number }[] };
      return members.length === 3 && members.every(({ applied }) => applied === 1);
    }, 'all members say that they have it');
  });

  it('a change to one of 10,000 routes reaches all fleet members', async () => {
    const times: number[] = [];
    for (let i = 0; i < 9; i++) {
      const began = performance.now();
      const { status, headers } = await set(i, `value ${i}`);
      expect(status).to.equal(200);
      const rev = String(headers['sluice-revision']);
      const read = await Promise.all(servers.map((each) => each.ask('GET', `${valuePath}?min_revision=${rev}`)));
      times.push(performance.now() - began);
      expect(read.map(({ text }) => text.trim())).to.deep.equal(Array(3).fill(`"value ${i}"`));
    }
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number): string => `${Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)} ms`;
    print(`from the request until the last of three members has it: median ${at(0.5)}, p99 ${at(0.99)}`);
    const [last] = (await server(0).get('fleet/history')) as { patch: unknown }[];
    expect(JSON.stringify(last).length).to.be.lessThan(1024);
  });

  it('a change request can wait for all fleet members, and a request repeated through another member is applied only once', async () => {
    const key = { 'Idempotency-Key': 'the-key' };
    const first = await set(0, 'once', '?wait=all', key);
    expect(first.status).to.equal(200);
    const { fleet_revision: revision, members } = JSON.parse(first.text) as { fleet_revision: number; members: object };
    expect(members).to.deep.equal({ a: { state: 'applied' }, b: { state: 'applied' }, c: { state: 'applied' } });
    await set(1, 'later');
    const again = await set(2, 'once', '', key);
    expect([again.status, again.headers['sluice-revision']]).to.deep.equal([200, String(revision)]);
    expect(await server(1).get('fleet/ops/the-key')).to.deep.equal({ op: 'the-key', revision });
    expect((await server(1).ask('GET', 'fleet/ops/another')).status).to.equal(404);
    expect(await server(1).get(valuePath)).to.equal('later');
  });

  it('all fleet members reject a change that does not load, and report the path of the error', async () => {
    const before = (await server(0).get('fleet')) as { revision: number };
    const { status, text } = await server(1).ask(
      'PATCH',
      'config/apps/http/servers/s/routes/0/handle/0/handler',
      'nothing',
    );
    expect(status).to.equal(500);
    expect(text).to.include('routes[0]');
    expect(await server(0).get('fleet')).to.have.property('revision', before.revision);
  });

  it('If-Match detects changes made through other fleet members', async () => {
    const { headers } = await server(0).ask('GET', valuePath);
    await set(1, 'between', '?wait=all');
    const late = await set(0, 'late', '', { 'If-Match': String(headers['etag']) });
    expect(late.status).to.equal(412);
  });

  it('a fleet change can be rolled back, and an unconfirmed change is reverted automatically', async () => {
    const { headers } = await set(0, 'good', '?wait=all');
    await set(1, 'bad', '?wait=all');
    expect((await server(2).ask('POST', `fleet/history/${String(headers['sluice-revision'])}/apply`)).status).to.equal(
      200,
    );
    await until(async () => (await server(0).get(valuePath)) === 'good', 'the value of before');
    expect((await set(0, 'risky', '?confirm_within=1s')).status).to.equal(200);
    const made = async (): Promise<string[]> =>
      ((await server(1).get('fleet/history')) as { patch: { value?: string }[] }[]).map(({ patch }) =>
        String(patch[0]?.value),
      );
    await until(async () => (await made()).slice(0, 2).join() === 'good,risky', 'the change is taken back');
    await until(async () => (await server(2).get(valuePath)) === 'good', 'all have what was there before');
    await set(0, 'kept', '?confirm_within=20s&wait=all');
    expect((await server(1).ask('POST', 'fleet/confirm')).status).to.equal(200);
    expect((await set(2, 'after', '?wait=all')).status).to.equal(200);
  });

  it('fleet members keep serving and reject changes while the store is unavailable, can start from the local copy, and recover @long', async () => {
    await set(0, 'before', '?wait=all');
    let failed = 0;
    let requests = 0;
    const load = { goesOn: true };
    const loading = (async () => {
      for (; load.goesOn; requests++) {
        for (const each of servers.slice(0, 2)) if ((await each.serve().catch(() => '')) === '') failed++;
        await sleep(5);
      }
    })();
    await store().kill();
    await until(async () => {
      const refused = await set(0, 'meanwhile');
      expect(refused.status).to.equal(503);
      return /has been unavailable since \d{4}-/.test(refused.text);
    }, 'it says since when');
    await server(2).kill();
    const began = performance.now();
    await server(2).run();
    print(`a member that starts without the store serves after ${Math.round(performance.now() - began)} ms`);
    expect(await server(2).serve()).to.equal('before');
    await until(async () => (await server(2).ask('GET', 'readyz')).status === 200, 'it is ready');
    await store().run();
    await until(async () => (await set(1, 'back')).status === 200, 'changes are made again');
    await until(async () => (await documents()).size === 1, 'all have one document');
    expect((await set(2, 'through the one that was started again', '?min_revision=0')).status).to.equal(200);
    await until(async () => (await documents()).size === 1, 'all have it');
    load.goesOn = false;
    await loading;
    expect([failed, requests > 0]).to.deep.equal([0, true]);
  });

  it('a suspended fleet member catches up', async () => {
    server(1).signal('SIGSTOP');
    try {
      for (let i = 0; i < 5; i++) expect((await set(0, `stopped ${i}`)).status).to.equal(200);
    } finally {
      server(1).signal('SIGCONT');
    }
    await until(async () => (await server(1).get(valuePath)) === 'stopped 4', 'it has what it missed');
    expect((await documents()).size).to.equal(1);
  });

  it('metrics report how far a fleet member lags behind, and whether its store is available', async () => {
    const { text } = await server(0).ask('GET', 'metrics');
    const names = [...text.matchAll(/^# TYPE (sluice_fleet_\w+) /gm)].map(([, name]) => name);
    expect(names).to.have.members(Object.values(fleetMetrics).map(({ name }) => name));
    expect(text).to.match(/^sluice_fleet_lag_revisions 0$/m);
    expect(text).to.match(/^sluice_fleet_store_up 1$/m);
  });

  it('a running server joins a fleet when a new configuration enables the fleet @long', async () => {
    const sandbox = new Sandbox();
    try {
      const late = await TestServer.run(sandbox, [says('of its own')], ['--workers', '1']);
      const place = { engine: 'etcd', endpoints: [`127.0.0.1:${store().port}`] };
      const listen = `127.0.0.1:${late.adminPort}`;
      const http = `127.0.0.1:${late.httpPort}`;
      const merge = { admin: { listen }, apps: { http: { servers: { s: { listen: [http] } } } } };
      const overlay = { members: ['late'], merge };
      expect((await server(0).ask('POST', 'config/admin/fleet/overlays', overlay)).status).to.equal(200);
      const body = { cluster: 'test', member: 'late', store: place };
      expect((await late.admin('/config/admin/fleet', { method: 'PUT', body })).status).to.equal(200);
      await until(
        async () => (await late.http('/')).text === (await server(0).serve()),
        'it serves what the fleet has',
      );
      await server(1).ask('PATCH', valuePath, 'for all');
      await until(async () => (await late.http('/')).text === 'for all', 'it follows');
    } finally {
      await sandbox.remove();
    }
  });

  it('a drained fleet member reports that it is not ready', async () => {
    // The member lost its lease during the outage. It is listed again after that lease has expired.
    const drain = async (): Promise<number> => (await server(0).ask('POST', 'fleet/members/b/drain')).status;
    await until(async () => (await drain()) === 200, 'it is told', 40_000);
    await until(async () => (await server(1).ask('GET', 'readyz')).status === 503, 'it is not ready');
    expect(await server(1).serve()).not.to.equal('');
    await server(0).ask('DELETE', 'fleet/members/b/drain');
    await until(async () => (await server(1).ask('GET', 'readyz')).status === 200, 'it is ready again');
    expect((await server(0).ask('POST', 'fleet/members/unknown/drain')).status).to.equal(404);
  });
});
