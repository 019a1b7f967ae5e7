import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Head } from '@sluice/fleet';
import { EtcdServer, hasEtcd } from '@sluice/testing/etcd';
import { send } from '../support/server.ts';
import { until } from '../support/sandbox.ts';
import { documentOf, FleetServer, valuePath } from './fleet-of-three.ts';

/** Content of `fleet.json`. */
interface SavedFile {
  readonly document: string;
  readonly head: string;
}

/** The fields of `GET /fleet` that the test reads. */
interface State {
  readonly applied: number;
  readonly forked?: { readonly reason: string };
}

const title = 'a member that is started again';

describe(hasEtcd ? title : `${title} (skipped: this machine has no etcd)`, function () {
  this.timeout(120_000);
  let etcd: EtcdServer;
  let member: FleetServer;
  let fleets = 0;
  before(async function () {
    if (!hasEtcd) this.skip();
    etcd = await EtcdServer.start();
  });
  beforeEach(async () => {
    fleets += 1;
    member = await FleetServer.make('a', `etcd://127.0.0.1:${etcd.port}/test-${fleets}`);
    await member.run(documentOf([member], 1));
    await until(async () => (await member.ask('PATCH', valuePath, 'saved')).status === 200, 'it has joined');
  });
  afterEach(() => member?.remove());
  after(() => etcd?.stop());

  const state = async (): Promise<State> => (await member.get('fleet')) as State;

  /** Edits `fleet.json` to simulate a crash between two file writes, or a newer store. */
  async function change(edit: (saved: SavedFile) => SavedFile): Promise<void> {
    const path = join(member.configuration, 'fleet.json');
    await writeFile(path, JSON.stringify(edit(JSON.parse(await readFile(path, 'utf8')) as SavedFile)));
  }

  function headed(saved: SavedFile, edit: (head: Head) => Partial<Head>): SavedFile {
    const head = JSON.parse(saved.head) as Head;
    return { ...saved, head: JSON.stringify({ ...head, ...edit(head) }) };
  }

  it('a fleet member serves its saved configuration while the store is unavailable, even after a crash between two file writes', async () => {
    await member.kill();
    await change((saved) => ({ ...saved, document: 'of the change before' }));
    await etcd.kill();
    await member.run();
    expect(await member.serve()).to.equal('saved');
    await etcd.run();
    await until(async () => (await state()).applied === 2, 'it joins when the store is back');
    expect((await member.ask('PATCH', valuePath, 'later')).status).to.equal(200);
  });

  for (const [name, edit] of Object.entries({
    'has lost a change': ({ rev }: Head) => ({ rev: rev + 1, hash: 'of what was lost' }),
    'has a different change at the same revision': () => ({ hash: 'of what was lost' }),
    'was replaced by another store': () => ({ lineage: 'of the one before' }),
  }))
    it(`a fleet member keeps its saved configuration and reports the problem when the store ${name}`, async () => {
      await member.kill();
      const isExact = name !== 'was replaced by another store';
      await change((saved) => headed(isExact ? saved : { ...saved, document: 'of another change' }, edit));
      await member.run();
      await until(async () => (await state()).forked !== undefined, 'the member is forked');
      expect(await member.serve()).to.equal('saved');
      expect((await member.ask('PATCH', valuePath, 'later')).status).to.equal(409);
      expect((await member.ask('POST', 'fleet/adopt')).status).to.equal(200);
      expect((await member.ask('PATCH', valuePath, 'later')).status).to.equal(200);
    });

  it('a fleet member does not recreate the fleet in a wiped store until an operator adopts the store', async () => {
    await member.kill();
    const all = Buffer.from([0]).toString('base64');
    await send(etcd.port, '/v3/kv/deleterange', { method: 'POST', body: { key: all, range_end: all } });
    await member.run();
    await until(async () => (await state()).forked !== undefined, 'the member is forked');
    expect(await member.serve()).to.equal('saved');
    expect((await member.ask('POST', 'fleet/adopt')).status).to.equal(200);
    expect(await member.serve()).to.equal('saved');
    expect((await member.ask('PATCH', valuePath, 'later')).status).to.equal(200);
    expect((await state()).applied).to.equal(2);
  });
});
