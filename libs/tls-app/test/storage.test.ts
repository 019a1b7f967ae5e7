/** Tests storage content left by crashes, and content written by other servers. */
import { expect } from 'chai';
import { SluiceError, type Json } from '@sluice/base';
import { tlsApp, type StorageLock } from '@sluice/contracts';
import { MemoryStorage } from '@sluice/testing';
import type { ThreadTls } from '../src/thread-tls.ts';
import { Bench, shakeHands, TestAuthority, until } from './support.ts';

const automate: Json = {
  certificates: { automate: ['a.test'] },
  automation: { policies: [{ issuers: [{ module: 'internal' }] }] },
};
const stem = 'certificates/internal/a.test/a.test';
const attempts = 'certificate_attempts/a.test.json';

describe('storage of managed certificates', () => {
  let authority: TestAuthority;
  const open: Bench[] = [];
  before(async () => {
    authority = await TestAuthority.make();
  });
  afterEach(() => Promise.all(open.splice(0).map((bench) => bench.close())));

  const make = (storage: MemoryStorage, failing = false): Bench => {
    const bench = new Bench(authority, storage);
    if (failing) bench.failing.add('internal');
    open.push(bench);
    return bench;
  };
  const start = async (storage: MemoryStorage, failing = false): Promise<Bench> => {
    const bench = make(storage, failing);
    await bench.load(automate);
    return bench;
  };
  const said = (bench: Bench): string => JSON.stringify(bench.logged);
  const namesAt = async (bench: Bench): Promise<string> => (await shakeHands(await bench.listen(), 'a.test')).names;

  /** Runs until the storage rejects a write, which simulates a crash. Returns whether a write was rejected. */
  async function crash(storage: MemoryStorage, at: number): Promise<boolean> {
    let crashed = false;
    storage.beforeWrite = (count) => {
      if (count < at) return;
      crashed = true;
      throw new Error('crash');
    };
    const bench = await start(storage);
    await until(() => crashed || /(?:obtained|renewed) certificate/.test(said(bench)));
    await bench.close();
    open.splice(open.indexOf(bench), 1);
    return crashed;
  }

  it('certificate storage is usable after an interruption at any write of the first issuance', async () => {
    let moments = 0;
    for (let at = 1; ; at++) {
      const storage = new MemoryStorage();
      if (!(await crash(storage, at))) break;
      moments++;
      const values = new Map(storage.values);
      values.delete(attempts);
      // A certificate that was already stored as a single file must not be ordered again.
      const orders = values.has(`${stem}.new`) ? 0 : 1;
      const after = await start(new MemoryStorage(values));
      expect(await namesAt(after), `write ${at}`).to.equal('DNS:a.test');
      expect(after.orders, `write ${at}`).to.have.length(orders);
    }
    // The five writes are the storage test, the single file, the key, the certificate, and the metadata.
    expect(moments).to.equal(5);
  });

  it('certificate storage contains a certificate after an interruption at any write of a renewal, even if no issuer is reachable', async () => {
    const first = make(new MemoryStorage());
    // The certificate is due for renewal immediately and valid for another twenty seconds, because it is backdated by a minute.
    first.lifetime = 80_000;
    await first.load(automate);
    await until(() => said(first).includes('obtained certificate'));
    let moments = 0;
    for (let at = 1; ; at++) {
      const storage = new MemoryStorage(new Map(first.storage.values));
      if (!(await crash(storage, at))) break;
      moments++;
      const values = new Map(storage.values);
      values.delete(attempts);
      const after = await start(new MemoryStorage(values), true);
      expect(await namesAt(after), `write ${at}`).to.equal('DNS:a.test');
    }
    expect(moments).to.equal(5);
  });

  const damages: readonly [string, string, string, string][] = [
    ['an empty record of issuance failures', attempts, '', 'failed to read saved certificate issuance failures'],
    ['an invalid record of issuance failures', attempts, '{"count":"many"}', 'no failure times found'],
  ];
  for (const [what, key, value, words] of damages) {
    it(`the server reports ${what} in certificate storage, and continues`, async () => {
      const first = await start(new MemoryStorage());
      await until(() => said(first).includes('obtained certificate'));
      const { values } = first.storage;
      values.set(key, value);
      for (const kind of ['crt', 'key', 'json']) values.delete(`${stem}.${kind}`);
      const again = await start(new MemoryStorage(values));
      expect(await namesAt(again)).to.equal('DNS:a.test');
      await until(() => said(again).includes(words));
      expect(said(again)).to.contain(key);
    });
  }

  it('certificate storage is read once per name, and only the chain and key are read', async () => {
    const first = await start(new MemoryStorage());
    await until(() => said(first).includes('obtained certificate'));
    first.storage.values.set(`${stem}.json`, '{"sans":["a.t');
    const storage = new MemoryStorage(first.storage.values);
    const read: string[] = [];
    const load = storage.load.bind(storage);
    storage.load = (key) => {
      read.push(key);
      return load(key);
    };
    const again = await start(storage);
    expect(await namesAt(again)).to.equal('DNS:a.test');
    expect(read.filter((key) => key.startsWith('certificates/'))).to.deep.equal([`${stem}.crt`, `${stem}.key`]);
  });

  it('an unreadable record of an interrupted issuance in certificate storage is reported, and the certificate is ordered again', async () => {
    const storage = new MemoryStorage(new Map([[`${stem}.new`, '{"chain":"-----BEGIN']]));
    const bench = await start(storage);
    expect(await namesAt(bench)).to.equal('DNS:a.test');
    expect(said(bench)).to.contain(`${stem}.new`);
    expect(bench.orders).to.have.length(1);
  });

  it('certificate storage with transactions writes under the lock, and a server that has lost the lock uses the certificate of the new lock owner', async () => {
    const other = await start(new MemoryStorage());
    await until(() => said(other).includes('obtained certificate'));
    const theirs = new Map(other.storage.values);

    const storage = new FencedStorage();
    const bench = await start(storage);
    await until(() => said(bench).includes('obtained certificate'));
    expect(storage.written).to.deep.equal([[`${stem}.key`, `${stem}.crt`, `${stem}.json`, `${stem}.new`]]);
    expect([...storage.values.keys()]).not.to.contain(`${stem}.new`);

    const late = new FencedStorage();
    late.beforeFence = () => {
      for (const [key, value] of theirs) late.values.set(key, value);
      return false;
    };
    const loser = await start(late);
    let served = '';
    for (let i = 0; i < 100 && served === ''; i++) served = await namesAt(loser);
    expect(served).to.equal('DNS:a.test');
    for (const kind of ['crt', 'key'])
      expect(late.values.get(`${stem}.${kind}`)).to.equal(theirs.get(`${stem}.${kind}`));
    expect(said(loser)).not.to.contain('failed to obtain certificate');
  });
});

describe('certificates obtained by another server after a local failure', () => {
  it('a certificate obtained by another server after a local failure is used and not renewed immediately', async () => {
    const authority = await TestAuthority.make();
    const [other, bench] = [new Bench(authority), new Bench(authority)];
    try {
      await other.load(automate);
      await until(() => other.storage.values.has(`${stem}.json`));
      bench.failing.add('internal');
      bench.window = { start: 0, end: 0, retryAt: 0 };
      await bench.load(automate);
      await until(() => bench.storage.values.has(attempts));
      bench.failing.clear();
      // The issuer no longer suggests a renewal window.
      bench.window = null;
      for (const [key, value] of other.storage.values) if (key.startsWith(stem)) bench.storage.values.set(key, value);
      const { management } = bench.runtime.app(tlsApp) as ThreadTls;
      await management?.renew('a.test')?.run();
      await until(() => ([...(management?.lifecycle.names.all() ?? [])][0]?.certificate ?? null) !== null);
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(bench.orders).to.have.length(1);
      expect(bench.storage.values.get(`${stem}.crt`)).to.equal(other.storage.values.get(`${stem}.crt`));
    } finally {
      await bench.close();
      await other.close();
    }
  });
});

/** A storage that verifies the lock within the transaction of each write. */
class FencedStorage extends MemoryStorage {
  readonly written: string[][] = [];
  /** Returns true if the lock is still owned at the time of a write. */
  beforeFence: () => boolean = () => true;

  override async lock(name: string): Promise<StorageLock> {
    const lock = await super.lock(name);
    const write = async (values: ReadonlyMap<string, Buffer | string | null>): Promise<void> => {
      if (!this.beforeFence()) throw new SluiceError('ERR_STORAGE_LOCK', 'the lock was taken over');
      this.written.push([...values.keys()]);
      for (const [key, value] of values) await (value === null ? this.delete(key) : this.store(key, value));
    };
    return { ...lock, write };
  }
}
