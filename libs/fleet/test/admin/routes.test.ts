import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { MemoryCluster } from '@sluice/fleet';
import { Machines, until, type Said } from '../membership/machine.ts';

describe('fleet admin routes', () => {
  const machines = new Machines();
  afterEach(() => machines.close());
  const errorOf = (asked: Promise<Said>): Promise<JsonObject> =>
    asked.then(
      ({ body }) => ({ body }),
      ({ status, code, message }: { status: number; code: string; message: string }) => ({ status, code, message }),
    );
  const body = async (asked: Promise<Said>): Promise<JsonObject> => (await asked).body as JsonObject;

  it('every fleet route except readyz fails if the server is not a fleet member', async () => {
    const machine = machines.make(null, 'a');
    for (const route of machine.routes.filter((each) => each !== 'GET /readyz'))
      expect(await errorOf(machine.ask(route)), route).to.include({ status: 404, code: 'ERR_FLEET_NONE' });
    expect(await machine.ask('GET /readyz')).to.deep.include({ status: 503, body: { ready: false } });
    await machine.reconciler.load({});
    expect(await machine.ask('GET /readyz')).to.deep.include({ status: 200, body: { ready: true } });
  });

  it('every fleet route has a description', async () => {
    const machine = machines.make(null, 'a');
    expect(Object.keys(await machine.described())).to.have.members(machine.routes);
  });

  it('GET /fleet describes this member and the other members', async () => {
    const cluster = new MemoryCluster();
    const [a, b] = [await machines.join(cluster, 'a'), await machines.join(cluster, 'b')];
    await a.set('1');
    await b.membership?.waitFor(2, 10_000);
    const names = async (): Promise<unknown> =>
      ((await body(a.ask('GET /fleet')))['members'] as JsonObject[]).map((each) => [each['name'], each['applied']]);
    await until(async () => JSON.stringify(await names()) === '[["a",2],["b",2]]');
    const fleet = await body(a.ask('GET /fleet'));
    expect(fleet).to.include({ cluster: 'a cluster', member: 'a', revision: 2, applied: 2, known: 2, ready: true });
    const { lineage, hash, store } = fleet;
    expect(await body(b.ask('GET /fleet'))).to.deep.include({ member: 'b', revision: 2, lineage, hash, store });
    expect((fleet['members'] as JsonObject[])[1]).to.deep.include({ labels: ['test'], version: '1.2.3', ready: true });
  });

  it('GET /fleet/history lists changes newest first, and the apply route rolls back the fleet', async () => {
    const cluster = new MemoryCluster();
    const [a, b] = [await machines.join(cluster, 'a'), await machines.join(cluster, 'b')];
    for (const value of ['1', '2', '3']) await a.set(value, `op ${value}`);
    const revisions = async (query = {}): Promise<unknown> =>
      ((await a.ask('GET /fleet/history', {}, query)).body as JsonObject[]).map(({ revision }) => revision);
    expect(await revisions()).to.deep.equal([4, 3, 2, 1]);
    expect(await revisions({ before: '3' })).to.deep.equal([2, 1]);
    expect(await errorOf(a.ask('GET /fleet/history', {}, { before: 'x' }))).to.include({ status: 404 });
    const entry = await body(a.ask('GET /fleet/history/:revision', { revision: '3' }));
    expect(entry).to.deep.include({ revision: 3, op: 'op 2', document: { apps: { app: { values: { n: '2' } } } } });
    expect(entry['by']).to.include('me');
    for (const revision of ['0', '5', 'x', ''])
      expect(await errorOf(a.ask('GET /fleet/history/:revision', { revision })), revision).to.include({ status: 404 });
    const applied = await b.ask('POST /fleet/history/:revision/apply', { revision: '2' });
    expect([applied.body, applied.headers['sluice-revision']]).to.deep.equal([{ revision: 5 }, '5']);
    await a.membership?.waitFor(5, 10_000);
    expect([a.value, b.value]).to.deep.equal(['1', '1']);
    // The API does not list trimmed log entries.
    cluster.trim(4);
    expect(await errorOf(a.ask('GET /fleet/history/:revision', { revision: '2' }))).to.include({ status: 404 });
    expect(await revisions()).to.deep.equal([5, 4]);
  });

  it('GET /fleet/ops finds the result of a change by its operation ID', async () => {
    const a = await machines.join(new MemoryCluster(), 'a');
    await a.set('1', 'my op');
    expect(await body(a.ask('GET /fleet/ops/:op', { op: 'my op' }))).to.deep.equal({ op: 'my op', revision: 2 });
    expect(await errorOf(a.ask('GET /fleet/ops/:op', { op: 'other' }))).to.deep.equal({
      status: 404,
      code: 'ERR_CONFIG_PATH',
      message: 'the fleet log has no change with operation ID "other"',
    });
    expect([a.membership?.revisionOf('my op'), await a.membership?.find('my op')]).to.deep.equal([2, 2]);
  });

  it('POST /fleet/confirm confirms the pending change, and fails if there is none', async () => {
    const a = await machines.join(new MemoryCluster(), 'a');
    expect(await errorOf(a.ask('POST /fleet/confirm'))).to.include({ status: 409, code: 'ERR_UNCONFIRMED' });
  });

  it('POST and DELETE /fleet/drain drain a member and resume its traffic @long', async () => {
    const cluster = new MemoryCluster();
    const [a, b] = [await machines.join(cluster, 'a'), await machines.join(cluster, 'b')];
    expect(await a.ask('GET /readyz')).to.include({ status: 200 });
    await until(async () => ((await body(a.ask('GET /fleet')))['members'] as unknown[]).length === 2);
    expect((await a.ask('POST /fleet/members/:name/drain', { name: 'b' })).body).to.deep.equal({
      member: 'b',
      drained: true,
    });
    await until(async () => (await b.ask('GET /readyz')).status === 503);
    expect((await a.ask('GET /readyz')).status).to.equal(200);
    expect((await b.ask('DELETE /fleet/members/:name/drain', { name: 'b' })).body).to.deep.equal({
      member: 'b',
      drained: false,
    });
    await until(async () => (await b.ask('GET /readyz')).status === 200);
    expect(await errorOf(a.ask('POST /fleet/members/:name/drain', { name: 'x' }))).to.include({ status: 404 });
  });

  it('GET /fleet/events sends the fleet state after each change', async () => {
    const a = await machines.join(new MemoryCluster(), 'a');
    const events = await a.events('GET /fleet/events', 2, () => a.set('1'));
    const [first, second] = events.map((event) => JSON.parse(event.split('data: ')[1] ?? '') as JsonObject);
    expect(events[0]).to.match(/^event: fleet\ndata: /);
    expect(first?.['member']).to.equal('a');
    expect(JSON.stringify(first)).to.not.equal(JSON.stringify(second));
  });

  it('GET /fleet reports revisions that cannot be applied, and the retry route tries to apply these revisions again', async () => {
    const cluster = new MemoryCluster();
    const [a, b] = [await machines.join(cluster, 'a'), await machines.join(cluster, 'b')];
    await a.set('bad for b');
    const rejected = async (): Promise<unknown> => (await body(b.ask('GET /fleet')))['rejected'];
    await until(async () => (await rejected()) !== undefined);
    expect(await rejected()).to.deep.include({ rev: 2, path: 'apps.app.values' });
    await a.set('good for all');
    await until(async () => (await rejected()) === undefined);
    expect(await body(b.ask('POST /fleet/retry'))).to.include({ applied: 3 });
    // If the store has the same history, there is nothing to adopt.
    expect(await body(b.ask('POST /fleet/adopt'))).to.deep.equal({ revision: 3 });
    expect(await errorOf(b.ask('GET /fleet/rollout'))).to.include({ status: 404 });
    for (const order of ['pause', 'resume', 'abort'])
      expect((await errorOf(b.ask(`POST /fleet/rollout/${order}`)))['status'], order).to.be.oneOf([404, 409]);
  });
});
