import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { fleetStores, headAt, type Head } from '@sluice/fleet';
import { freePort, hasRedis, RedisServer, Relay, refusal, throwAwayCertificate } from '@sluice/testing';
import { register } from '../../src/index.ts';
import { testStores } from '../shared/set-up.ts';
import { add, codeOf, lineage, missesNothing, next, Seen, until } from '../shared/stores.ts';

const title = 'sluice.fleet.stores.redis';

describe(hasRedis ? title : `${title} (skipped: this machine has no redis-server)`, () => {
  const suite = testStores({ options: { engine: 'redis' }, has: hasRedis, start: () => RedisServer.start() });
  const start = async (...options: readonly string[]): Promise<RedisServer> =>
    suite.cleaned(await RedisServer.startCareful(...options));

  it('the Redis store keeps the data of clusters separate if their names have a common prefix', async () => {
    const [one, other] = [await suite.open('a}'), await suite.open('a}:b')];
    await add(one, null, 'x');
    expect(await other.head()).to.equal(null);
    expect((await one.head())?.rev).to.equal(1);
  });

  it('a Redis watch loses no entries if it is interrupted at any of 200 points during an append-only file rewrite @long', async function () {
    this.timeout(120_000);
    const cluster = randomUUID();
    const relay = suite.cleaned(await Relay.start(suite.server.port));
    const [writer, reader] = [await suite.open(cluster), await suite.open(cluster, relay.port)];
    await missesNothing({ writer, reader, relay, compact: () => void suite.server.control('BGREWRITEAOF') });
    expect(relay.cuts).to.be.at.least(200);
  });

  it('the Redis store retains all data after the server is killed, and watches continue', async () => {
    const own = await start();
    const store = await suite.open('c', own.port);
    const seen = new Seen();
    let head = await add(store, null, 'one');
    store.watch(1, seen);
    await until(() => seen.all.length === 1);
    await own.kill();
    expect(await codeOf(store.head())).to.equal('ERR_FLEET_STORE');
    await own.run();
    expect(await store.head()).to.deep.equal(head);
    head = await add(store, head, 'two');
    await until(() => seen.all.length === 2);
    expect(seen.all).to.have.length(2);
  });

  it('the Redis store reports an unknown result if the server stops during a swap, and applies a repeated swap once @long', async function () {
    this.timeout(30_000);
    const store = await suite.open(randomUUID());
    expect(await store.head()).to.equal(null);
    const entry = next(null, 'x');
    suite.server.signal('SIGSTOP');
    const code = await codeOf(store.swap(null, lineage, [entry]));
    suite.server.signal('SIGCONT');
    expect(code).to.equal('ERR_FLEET_UNKNOWN');
    expect((await store.swap(null, lineage, [entry])).outcome).to.be.oneOf(['swapped', 'known']);
    expect(await store.swap(null, lineage, [entry])).to.deep.equal({ outcome: 'known', rev: 1 });
    expect(await store.log(1, 9)).to.deep.equal([entry]);
  });

  it('the Redis store reports that nothing was changed if no server is reachable', async () => {
    const store = await suite.open('x', await freePort());
    expect(await codeOf(store.head())).to.equal('ERR_FLEET_STORE');
    expect(await codeOf(store.swap(null, lineage, [next(null, 'x')]))).to.equal('ERR_FLEET_STORE');
  });

  describe('Redis store with a primary and a replica', () => {
    /** Number of failover runs. The README describes how to increase it. */
    const runs = Number(process.env['SLUICE_FAILOVERS'] ?? 10);

    it(`the Redis store detects ${runs} of ${runs} lossy failovers within 2 s, and applies no entry of the new history @long`, async function () {
      this.timeout(60_000 + runs * 10_000);
      for (let run = 0; run < runs; run++) {
        const [primary, replica] = [await start(), await start()];
        const link = await Relay.start(primary.port);
        replica.control('REPLICAOF', '127.0.0.1', String(link.port));
        await until(() => replica.control('INFO', 'replication').includes('master_link_status:up'));
        const endpoints = [`127.0.0.1:${primary.port}`, `127.0.0.1:${replica.port}`];
        const [writer, reader] = [await suite.openWith({ endpoints }, 'c'), await suite.openWith({ endpoints }, 'c')];
        const seen = new Seen();
        reader.watch(1, seen);
        const heads: Head[] = [];
        const lost = 1 + (run % 3);
        for (let i = 0; i < 3; i++) heads.push(await add(writer, heads.at(-1) ?? null, `kept ${i}`));
        await until(() => replica.control('XLEN', '{sluice:c}:log') === '3');
        await link.stop();
        for (let i = 0; i < lost; i++) heads.push(await add(writer, heads.at(-1) ?? null, `lost ${i}`));
        await until(() => seen.all.length === heads.length);
        await primary.kill();
        replica.control('REPLICAOF', 'NO', 'ONE');
        const promoted = performance.now();
        // After the failover, other clients may make fewer, as many, or more changes than were lost.
        let head = heads[2] as Head;
        for (let i = 0; i < Math.floor(run / 3) % 5; i++) head = await add(writer, head, `other ${i}`);
        await until(() => seen.all.length > heads.length);
        const took = performance.now() - promoted;
        expect(seen.all.slice(heads.length), `run ${run}`).to.have.length(1);
        expect(seen.all.at(-1), `run ${run}`).to.match(/^forked at \d+$/);
        expect(took, `run ${run}`).to.be.below(2000);
        await suite.clean();
      }
    });

    it('the Redis store continues with the new primary after a lossless failover', async () => {
      const [primary, replica] = [await start(), await start()];
      replica.control('REPLICAOF', '127.0.0.1', String(primary.port));
      const store = await suite.openWith({ endpoints: [replica, primary].map(({ port }) => `127.0.0.1:${port}`) }, 'c');
      const seen = new Seen();
      store.watch(1, seen);
      let head = await add(store, null, 'one');
      await until(() => seen.all.length === 1);
      await until(() => replica.control('EXISTS', '{sluice:c}:head') === '1');
      await primary.kill();
      replica.control('REPLICAOF', 'NO', 'ONE');
      head = await add(store, head, 'two');
      await until(() => seen.all.length === 2);
      expect(seen.all).to.have.length(2);
      expect(await store.head()).to.deep.equal(head);
    });

    it('the Redis store rejects data from a server that has become a replica', async () => {
      const [primary, other] = [await start(), await start()];
      const store = await suite.open('c', primary.port);
      await add(store, null, 'one');
      primary.control('REPLICAOF', '127.0.0.1', String(other.port));
      expect(await codeOf(store.head())).to.equal('ERR_FLEET_STORE');
      expect(await codeOf(store.swap(null, lineage, [next(null, 'x')]))).to.equal('ERR_FLEET_STORE');
    });
  });

  it('the Redis store rejects a server that may lose acknowledged changes, unless permitted', async () => {
    const careless = suite.cleaned(await RedisServer.start([]));
    const endpoints = [`127.0.0.1:${careless.port}`];
    const message = (): Promise<string | null> => suite.failureOf({ endpoints });
    expect(await message()).to.contain('appendonly yes');
    careless.control('CONFIG', 'SET', 'appendonly', 'yes');
    expect(await message()).to.contain('set appendfsync always instead of everysec');
    careless.control('CONFIG', 'SET', 'appendfsync', 'always', 'maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru');
    expect(await message()).to.contain('maxmemory-policy noeviction');
    const lax = await suite.openWith({ endpoints, accept_loss: true });
    await add(lax, null, 'x');
    expect(lax.capabilities).to.deep.equal({ linearizable: true, durable: false, failover: 'lossy' });
    careless.control('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    const strict = await suite.openWith({ endpoints });
    await strict.head();
    expect(strict.capabilities.durable).to.equal(true);
  });

  it('the Redis store connects over TLS to an IP address, and rejects an untrusted certificate', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-redis-tls-'));
    suite.later(() => rm(folder, { recursive: true }));
    const { cert, key } = await throwAwayCertificate(['127.0.0.1']);
    const [ca, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await writeFile(ca, cert);
    await writeFile(keyFile, key);
    const port = await freePort();
    const files = ['--tls-cert-file', ca, '--tls-key-file', keyFile, '--tls-ca-cert-file', ca];
    await start('--tls-port', String(port), ...files);
    const endpoints = [`127.0.0.1:${port}`];
    await add(await suite.openWith({ endpoints, tls: { ca, certificate: ca, key: keyFile } }), null, 'x');
    expect(await codeOf((await suite.openWith({ endpoints, tls: { ca } })).head())).to.equal('ERR_FLEET_STORE');
    const untrusted = await suite.openWith({ endpoints, tls: { certificate: ca, key: keyFile } });
    expect(await codeOf(untrusted.head())).to.equal('ERR_FLEET_STORE');
  });

  it('the Redis store authenticates to the server', async () => {
    const guarded = await start('--requirepass', 'secret');
    const endpoints = [`127.0.0.1:${guarded.port}`];
    const failure = (options: JsonObject): Promise<string | null> => suite.failureOf({ endpoints, ...options });
    expect(await failure({ password: 'secret' })).to.equal(null);
    expect(await failure({ username: 'default', password: 'secret' })).to.equal(null);
    expect(await failure({})).to.contain('NOAUTH');
    expect(await failure({ password: 'wrong' })).to.contain('WRONGPASS');
    const config = { engine: 'redis', username: 'x' };
    expect(await refusal(fleetStores, config, { register: [register], key: 'engine' })).to.contain(
      'has no effect without a password',
    );
  });

  it('the Redis store needs only the user permissions in the guide', async () => {
    const guarded = await start();
    const guide = await readFile(new URL('../../../../../docs/guide/fleet-stores.md', import.meta.url), 'utf8');
    const rights = /ACL SETUSER sluice on >… (.*)/.exec(guide)?.[1] ?? '';
    guarded.control('ACL', 'SETUSER', 'sluice', 'on', '>secret', ...rights.split(' '));
    const options = { endpoints: [`127.0.0.1:${guarded.port}`], username: 'sluice', password: 'secret' };
    const store = await suite.openWith(options, 'c');
    const seen = new Seen();
    store.watch(1, seen);
    const head = await add(store, null, 'x');
    await store.saveSnapshot({ head, document: {} });
    const lease = await store.lease('a', 'b', 5);
    expect(lease !== null && (await store.transaction(lease, [{ key: 'k', value: 'v', bound: true }]))).to.equal(true);
    expect([...(await store.values('')), ...(await store.leases(''))]).to.have.length(2);
    await lease?.release();
    await store.trim(2);
    expect(store.capabilities.durable).to.equal(true);
    await until(() => seen.all.length === 1);
    await add(store, head, 'y');
    await until(() => seen.all.length === 2);
    expect(seen.all).to.have.length(2);
  });

  it('the Redis store finds the primary through Sentinel', async function () {
    this.timeout(20_000);
    const [primary, folder] = [await start(), await mkdtemp(join(tmpdir(), 'sluice-sentinel-'))];
    suite.later(() => rm(folder, { recursive: true }));
    const file = join(folder, 'sentinel.conf');
    await writeFile(file, `sentinel monitor main 127.0.0.1 ${primary.port} 1\n`);
    const sentinel = suite.cleaned(await RedisServer.startSentinel(file));
    const store = await suite.openWith({ endpoints: [`127.0.0.1:${sentinel.port}`], sentinel: 'main' });
    const head = await add(store, null, 'x');
    expect(await store.head()).to.deep.equal(headAt(lineage, head));
  });
});
