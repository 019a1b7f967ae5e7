import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Head } from '@sluice/fleet';
import { freePort, hasPostgres, PostgresServer, Relay, throwAwayCertificate } from '@sluice/testing';
import { testStores } from '../shared/set-up.ts';
import { add, codeOf, lineage, missesNothing, next, Seen, until } from '../shared/stores.ts';

const title = 'sluice.fleet.stores.postgres';

describe(hasPostgres ? title : `${title} (skipped: this machine has no postgres)`, function () {
  this.timeout(180_000);
  const suite = testStores({
    options: { engine: 'postgres', username: 'postgres', database: 'postgres' },
    has: hasPostgres,
    start: () => PostgresServer.start(),
  });

  it('the PostgreSQL store creates its tables once, even if several members start simultaneously', async () => {
    const schema = 'one "of" many';
    const endpoints = [`127.0.0.1:${suite.server.port}`];
    const stores = await Promise.all(Array.from({ length: 8 }, () => suite.openWith({ endpoints, schema })));
    expect(await Promise.all(stores.map((store) => store.head()))).to.deep.equal(stores.map(() => null));
  });

  it('the PostgreSQL store keeps the data of different clusters and schemas separate', async () => {
    const endpoints = [`127.0.0.1:${suite.server.port}`];
    const [one, other, elsewhere] = [
      await suite.open('a'),
      await suite.open('b'),
      await suite.openWith({ endpoints, schema: 's' }, 'a'),
    ];
    await add(one, null, 'x');
    expect([await other.head(), await elsewhere.head()]).to.deep.equal([null, null]);
  });

  it('a PostgreSQL watch loses no entries if it is interrupted at any of 200 points during a vacuum @long', async function () {
    this.timeout(300_000);
    const cluster = randomUUID();
    const relay = suite.cleaned(await Relay.start(suite.server.port));
    const [writer, reader] = [await suite.open(cluster), await suite.open(cluster, relay.port)];
    await missesNothing({
      writer,
      reader,
      relay,
      compact: () => void suite.server.control('VACUUM FULL sluice.fleet_log'),
    });
    expect(relay.cuts).to.be.at.least(200);
  });

  it('the PostgreSQL store retains all data after the server is killed, and watches continue @long', async () => {
    const own = suite.cleaned(await PostgresServer.start());
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

  it('the PostgreSQL store reports an unknown result if the server does not respond, and applies a repeated swap once @long', async () => {
    const own = suite.cleaned(await PostgresServer.start());
    const store = await suite.open('c', own.port);
    expect(await store.head()).to.equal(null);
    const entry = next(null, 'x');
    own.control(
      `CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(8); RETURN NEW; END $$`,
    );
    own.control('CREATE TRIGGER late BEFORE INSERT ON sluice.fleet_log FOR EACH ROW EXECUTE FUNCTION late()');
    expect(await codeOf(store.swap(null, lineage, [entry]))).to.equal('ERR_FLEET_UNKNOWN');
    own.control('DROP TRIGGER late ON sluice.fleet_log');
    await until(async () => (await store.find(entry.op)) !== null);
    expect(await store.swap(null, lineage, [entry])).to.deep.equal({ outcome: 'known', rev: 1 });
    expect(await store.log(1, 9)).to.deep.equal([entry]);
  });

  it('the PostgreSQL store reports that nothing was changed if no server is reachable', async () => {
    const store = await suite.open('x', await freePort());
    expect(await codeOf(store.head())).to.equal('ERR_FLEET_STORE');
    expect(await codeOf(store.swap(null, lineage, [next(null, 'x')]))).to.equal('ERR_FLEET_STORE');
  });

  describe('PostgreSQL store with a primary and a standby', () => {
    const seenAfter = async (synchronous: boolean): Promise<void> => {
      const primary = suite.cleaned(await PostgresServer.start(['max_wal_senders=4', 'wal_level=replica']));
      const link = await Relay.start(primary.port);
      const standby = suite.cleaned(await primary.standby(link.port, 'second'));
      if (synchronous) primary.control(`ALTER SYSTEM SET synchronous_standby_names = 'second'`);
      primary.control('SELECT pg_reload_conf()');
      await until(() => primary.control('SELECT count(*) FROM pg_stat_replication') === '1');
      const endpoints = [`127.0.0.1:${standby.port}`, `127.0.0.1:${primary.port}`];
      const [writer, reader] = [await suite.openWith({ endpoints }, 'c'), await suite.openWith({ endpoints }, 'c')];
      const seen = new Seen();
      reader.watch(1, seen);
      let head: Head | null = null;
      for (let i = 0; i < 3; i++) head = await add(writer, head, `kept ${i}`);
      expect(writer.capabilities.failover).to.equal(synchronous ? 'safe' : 'lossy');
      // A new standby contains the tables only after it has replicated them.
      await until(() => standby.control("SELECT to_regclass('sluice.fleet_log') IS NOT NULL") === 't');
      await until(() => standby.control('SELECT count(*) FROM sluice.fleet_log') === '3');
      await link.stop();
      const late = next(head, 'late');
      // Without its standby, a synchronous primary does not acknowledge writes, so members do not receive the change either.
      const outcome = await codeOf(writer.swap(head, lineage, [late]));
      expect(outcome).to.equal(synchronous ? 'ERR_FLEET_UNKNOWN' : null);
      await until(() => seen.all.length === (synchronous ? 3 : 4));
      await primary.kill();
      standby.control('SELECT pg_promote()');
      const again = next(head, 'again');
      await until(async () => (await codeOf(writer.head())) === null);
      expect((await writer.swap(head, lineage, [again])).outcome).to.equal('swapped');
      await until(() => seen.all.length === (synchronous ? 4 : 5));
      if (synchronous) expect(seen.all).to.have.length(4);
      expect(seen.all.at(-1)).to.match(synchronous ? /"again"/ : /^forked at [34]$/);
    };

    it('the PostgreSQL store with a synchronous standby loses no acknowledged change @long', () => seenAfter(true));

    it('the PostgreSQL store detects a failover to an asynchronous standby that loses a change @long', () =>
      seenAfter(false));
  });

  it('the PostgreSQL store rejects a server that may lose acknowledged changes, unless permitted', async () => {
    const careless = suite.cleaned(await PostgresServer.start(['fsync=off', 'synchronous_commit=off']));
    const endpoints = [`127.0.0.1:${careless.port}`];
    expect(await suite.failureOf({ endpoints })).to.contain('set fsync = on');
    expect(await suite.failureOf({ endpoints, accept_loss: true })).to.equal(null);
  });

  it('the PostgreSQL store connects over TLS to an IP address, and rejects an untrusted certificate', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-pg-tls-'));
    suite.later(() => rm(folder, { recursive: true }));
    const { cert, key } = await throwAwayCertificate(['127.0.0.1']);
    const ca = join(folder, 'cert.pem');
    await writeFile(ca, cert);
    const access = 'hostssl all all 127.0.0.1/32 trust';
    const settings = ['ssl=on', 'ssl_cert_file=server.crt', 'ssl_key_file=server.key'];
    const secure = suite.cleaned(
      await PostgresServer.start(settings, access, { 'server.crt': cert, 'server.key': key }),
    );
    const endpoints = [`127.0.0.1:${secure.port}`];
    expect(await suite.failureOf({ endpoints, tls: { ca } })).to.equal(null);
    expect(await suite.failureOf({ endpoints, tls: {} })).to.contain('self-signed certificate');
    expect(await suite.failureOf({ endpoints })).to.contain('no encryption');
  });

  it('the PostgreSQL store authenticates, and requires no privileges other than access to its existing tables', async () => {
    const access = 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256';
    const guarded = suite.cleaned(await PostgresServer.start([], access));
    const endpoints = [`127.0.0.1:${guarded.port}`];
    expect(await suite.failureOf({ endpoints })).to.equal(null);
    guarded.control(`CREATE ROLE sluice LOGIN PASSWORD 'secret'`);
    guarded.control('GRANT USAGE ON SCHEMA sluice TO sluice');
    guarded.control('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA sluice TO sluice');
    expect(await suite.failureOf({ endpoints, username: 'sluice' })).to.contain('password');
    expect(await suite.failureOf({ endpoints, username: 'sluice', password: 'wrong' })).to.contain('password');
    const store = await suite.openWith({ endpoints, username: 'sluice', password: 'secret' });
    const head = await add(store, null, 'x');
    await store.saveSnapshot({ head, document: {} });
    const lease = await store.lease('a', 'b', 5);
    expect(lease !== null && (await store.transaction(lease, [{ key: 'k', value: 'v', bound: true }]))).to.equal(true);
    await lease?.release();
    await store.trim(2);
  });
});
