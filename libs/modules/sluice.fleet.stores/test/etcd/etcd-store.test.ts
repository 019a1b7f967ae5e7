import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { beginning, encodeEntry, encodeHead, entryAfter, fleetStores, headAt } from '@sluice/fleet';
import { freePort, Relay, refusal, throwAwayCertificate } from '@sluice/testing';
import { register } from '../../src/index.ts';
import { testStores } from '../shared/set-up.ts';
import { add, codeOf, lineage, missesNothing, next, Seen, until } from '../shared/stores.ts';
import { EtcdServer, hasEtcd } from '@sluice/testing/etcd';

const title = 'sluice.fleet.stores.etcd';
const hasControl = spawnSync('etcdctl', ['version']).status === 0;

describe(hasEtcd ? title : `${title} (skipped: this machine has no etcd)`, () => {
  const suite = testStores({ options: { engine: 'etcd' }, has: hasEtcd, start: () => EtcdServer.start() });

  it('the etcd store keeps the data of clusters separate if their names have a common prefix', async () => {
    const [one, other] = [await suite.open('a'), await suite.open('a/b')];
    const entry = next(null, 'x');
    await one.swap(null, lineage, [entry]);
    expect(await other.head()).to.equal(null);
    await one.trim(2);
    expect((await one.head())?.rev).to.equal(1);
  });

  it('an etcd watch loses no entries if it is interrupted at any of 200 points during compaction @long', async function () {
    this.timeout(120_000);
    const cluster = randomUUID();
    const relay = suite.cleaned(await Relay.start(suite.server.port));
    const [writer, reader] = [await suite.open(cluster), await suite.open(cluster, relay.port)];
    await missesNothing({
      writer,
      reader,
      relay,
      compact: () => (hasControl ? compact(suite.server.port) : undefined),
    });
    expect(relay.cuts).to.be.at.least(200);
  });

  it('an etcd watch detects a restored backup, and delivers no entries of the diverged history', async function () {
    if (!hasControl) this.skip();
    const store = await suite.open('set back');
    const seen = new Seen();
    const watch = store.watch(1, seen);
    const first = await add(store, null, 'kept');
    await add(store, first, 'lost');
    await until(() => seen.all.length === 2);
    const root = '/sluice/set%20back';
    const text = encodeHead(first);
    run(suite.server.port, ['del', '--prefix', `${root}/log/0000000000000002`]);
    run(suite.server.port, ['del', '--prefix', `${root}/op/`]);
    run(suite.server.port, ['put', `${root}/head`, text]);
    await add(store, await add(store, first, 'other'), 'more');
    await until(() => seen.all.length === 3);
    expect(seen.all.slice(2)).to.match(/^forked at [123]$/);
    watch.close();
  });

  it('the etcd store retains all data after the node is killed, and watches continue', async () => {
    const cluster = randomUUID();
    const store = await suite.open(cluster);
    const first = next(null, 'one');
    await store.swap(null, lineage, [first]);
    const seen: number[] = [];
    const watch = store.watch(1, {
      entry: ({ rev }) => void seen.push(rev),
      trimmed: () => undefined,
      forked: () => undefined,
      broken: () => undefined,
    });
    await until(() => seen.length === 1);
    await suite.server.kill();
    await suite.server.run();
    const head = headAt(lineage, first);
    await until(async () => (await codeOf(store.head())) === null);
    expect(await store.head()).to.deep.equal(head);
    expect((await store.swap(head, lineage, [next(head, 'two')])).outcome).to.equal('swapped');
    await until(() => seen.length === 2);
    expect(seen).to.deep.equal([1, 2]);
    watch.close();
  });

  it('the etcd store reports that nothing was changed if no node is reachable', async () => {
    const store = await suite.open('x', await freePort());
    expect(await codeOf(store.head())).to.equal('ERR_FLEET_STORE');
    expect(await codeOf(store.swap(null, lineage, [next(null, 'x')]))).to.equal('ERR_FLEET_STORE');
  });

  it('the etcd store reports an unknown result if a node stops during a swap, and applies a repeated swap once @long', async function () {
    this.timeout(30_000);
    const store = await suite.open(randomUUID());
    expect(await store.head()).to.equal(null);
    const entry = next(null, 'x');
    suite.server.signal('SIGSTOP');
    const code = await codeOf(store.swap(null, lineage, [entry]));
    suite.server.signal('SIGCONT');
    expect(code).to.equal('ERR_FLEET_UNKNOWN');
    await until(async () => (await codeOf(store.head())) === null);
    expect((await store.swap(null, lineage, [entry])).outcome).to.be.oneOf(['swapped', 'known']);
    expect(await store.swap(null, lineage, [entry])).to.deep.equal({ outcome: 'known', rev: 1 });
    expect(await store.log(1, 9)).to.deep.equal([entry]);
  });

  it('the etcd store uses another node if one node is unavailable', async () => {
    const store = await suite.openWith({
      endpoints: [`127.0.0.1:${await freePort()}`, `127.0.0.1:${suite.server.port}`],
    });
    expect((await store.swap(null, lineage, [next(null, 'x')])).outcome).to.equal('swapped');
  });

  it('the etcd store uses less than 1 KiB to save a change of one value in a large document', () => {
    const path = '/apps/http/servers/main/routes/9999/handle/0/body';
    const patch = [
      { op: 'test', path, value: 'old' },
      { op: 'replace', path, value: 'new' },
    ];
    const inverse = [{ op: 'replace', path, value: 'old' }];
    const change = { op: randomUUID(), who: 'member-1', when: Date.now(), patch, inverse, requires: [] };
    expect(Buffer.byteLength(encodeEntry(entryAfter(beginning(randomUUID()), change)))).to.be.below(1024);
  });

  it('the etcd store rejects a password without a username', async () => {
    const config = { engine: 'etcd', password: 'x' };
    const message = await refusal(fleetStores, config, { register: [register], key: 'engine' });
    expect(message).to.contain('has no effect without a username');
  });

  it('the etcd store connects over TLS to an IP address, and rejects an untrusted certificate', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-etcd-tls-'));
    const { cert, key } = await throwAwayCertificate(['127.0.0.1']);
    const [ca, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await writeFile(ca, cert);
    await writeFile(keyFile, key);
    suite.later(() => rm(folder, { recursive: true }));
    const secure = suite.cleaned(await EtcdServer.start({ cert: ca, key: keyFile }));
    const endpoints = [`127.0.0.1:${secure.port}`];
    await add(await suite.openWith({ endpoints, tls: { ca } }), null, 'x');
    expect(await codeOf((await suite.openWith({ endpoints, tls: {} })).head())).to.equal('ERR_FLEET_STORE');
  });

  it('the etcd store authenticates again after the node has lost its tokens', async function () {
    if (!hasControl) this.skip();
    const guarded = suite.cleaned(await EtcdServer.start());
    const control = (...words: string[]): void => run(guarded.port, words);
    control('user', 'add', 'root:secret');
    control('user', 'grant-role', 'root', 'root');
    control('auth', 'enable');
    const endpoints = [`127.0.0.1:${guarded.port}`];
    const known = await suite.openWith({ endpoints, username: 'root', password: 'secret' });
    const untrusted = await suite.openWith({ endpoints });
    const wrong = await suite.openWith({ endpoints, username: 'root', password: 'wrong' });
    expect(await known.head()).to.equal(null);
    expect(await codeOf(untrusted.head())).to.equal('ERR_FLEET_STORE');
    expect(await codeOf(wrong.head())).to.equal('ERR_FLEET_STORE');
    await guarded.kill();
    await guarded.run();
    await until(async () => (await codeOf(known.head())) === null);
    await add(known, null, 'x');
  });
});

function run(port: number, words: readonly string[]): void {
  const env = { ...process.env, ETCDCTL_API: '3' };
  const { status, stderr } = spawnSync('etcdctl', [`--endpoints=127.0.0.1:${port}`, ...words], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

/** Compacts etcd's history up to the last revision. */
function compact(port: number): void {
  const env = { ...process.env, ETCDCTL_API: '3' };
  const status = ['endpoint', 'status', '--write-out=json'];
  const { stdout } = spawnSync('etcdctl', [`--endpoints=127.0.0.1:${port}`, ...status], { env, encoding: 'utf8' });
  const revision = /"revision":(\d+)/.exec(stdout)?.[1];
  run(port, ['compact', revision ?? '1']);
}
