/**
 * Tests operational scenarios of a fleet with real processes, for each store. Covers stores that are wiped, unavailable or damaged, members
 * that leave and return, changed addresses, rolling upgrades, and backup and restore.
 *
 * etcd is accessed over TLS by IP address.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { hasPostgres, hasRedis, PostgresServer, RedisServer, throwAwayCertificate } from '@sluice/testing';
import { EtcdServer, hasEtcd } from '@sluice/testing/etcd';
import { until } from '../../support/sandbox.ts';
import { documentOf, FleetServer, valuePath } from '../../fleet/fleet-of-three.ts';

interface Trial {
  readonly address: string;
  /** An alternative address of the same store. */
  readonly other: string;
  stop(): Promise<unknown>;
  pause(): void;
  resume(): void;
  /** Deletes all fleet data from the store. */
  wipe(): Promise<unknown>;
}

async function etcdOverTls(): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-fleet-tls-'));
  const { cert, key } = await throwAwayCertificate(['127.0.0.1', 'localhost']);
  const [ca, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await writeFile(ca, cert);
  await writeFile(keyFile, key);
  const server = await EtcdServer.start({ cert: ca, key: keyFile });
  const { spawnSync } = await import('node:child_process');
  const wipe = async (): Promise<void> => {
    const place = [`--endpoints=https://127.0.0.1:${server.port}`, `--cacert=${ca}`];
    const env = { ...process.env, ETCDCTL_API: '3' };
    const { status, stderr } = spawnSync('etcdctl', [...place, 'del', '', '--prefix'], { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  return {
    address: `etcds://127.0.0.1:${server.port}/trial?tls.ca=${ca}`,
    other: `etcds://localhost:${server.port}/trial?tls.ca=${ca}`,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
    pause: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
    wipe,
  };
}

async function redis(): Promise<Trial> {
  const server = await RedisServer.start();
  return {
    address: `redis://127.0.0.1:${server.port}/trial`,
    other: `redis://localhost:${server.port}/trial`,
    stop: () => server.stop(),
    pause: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
    wipe: async () => server.control('FLUSHALL'),
  };
}

async function postgres(): Promise<Trial> {
  const server = await PostgresServer.start();
  const to = (host: string): string => `postgres://postgres@${host}:${server.port}/trial?database=postgres`;
  return {
    address: to('127.0.0.1'),
    other: to('localhost'),
    stop: () => server.stop(),
    pause: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
    wipe: () =>
      server.query(
        'TRUNCATE sluice.fleet_head, sluice.fleet_log, sluice.fleet_snapshot, sluice.fleet_lease, sluice.fleet_value',
      ),
  };
}

interface Status {
  readonly applied: number;
  readonly ready: boolean;
  readonly forked?: object;
  readonly store_away?: { readonly kind: string };
  readonly members_as_of?: string;
  readonly members: readonly { readonly name: string; readonly ready?: boolean }[] | null;
}

for (const [name, { has, start }] of Object.entries({
  'etcd over TLS at an IP address': { has: hasEtcd, start: etcdOverTls },
  Redis: { has: hasRedis, start: redis },
  PostgreSQL: { has: hasPostgres, start: postgres },
}))
  describe(`fleet with ${name} as the store`, function () {
    this.timeout(180_000);
    let store: Trial;
    let servers: FleetServer[] = [];
    before(async function () {
      if (!has) this.skip();
      store = await start();
      servers = [await FleetServer.make('a', store.address), await FleetServer.make('b', store.address)];
      await servers[0]?.run(documentOf(servers, 1));
      await servers[1]?.run();
      await until(async () => (await status(1)).applied === 1 && (await status(0)).applied === 1, 'both have joined');
    });
    after(async () => {
      store?.resume();
      for (const server of servers) await server.remove();
      await store?.stop();
    });
    const server = (i: number): FleetServer => servers[i] as FleetServer;
    const status = async (i: number): Promise<Status> => (await server(i).get('fleet')) as Status;
    const set = (i: number, value: string, headers = {}): Promise<{ status: number; text: string }> =>
      server(i).ask('PATCH', valuePath, value, headers);

    it('a repeated DELETE gets the first response, and its idempotency key is rejected for other changes', async () => {
      const path = 'config/apps/http/servers/s/routes/1';
      const headers = { 'Idempotency-Key': 'the-delete' };
      expect((await server(0).ask('DELETE', path, undefined, headers)).status).to.equal(200);
      const again = await server(1).ask('DELETE', path, undefined, headers);
      expect([again.status, again.headers['sluice-revision']]).to.deep.equal([200, '2']);
      expect((await set(1, 'x', headers)).status).to.equal(422);
      const both = await Promise.all(
        [0, 1].map((i) => server(i).ask('DELETE', valuePath, undefined, { 'Idempotency-Key': 'twice' })),
      );
      expect(both.map((each) => each.status)).to.deep.equal([200, 200]);
      expect((await server(0).ask('PUT', valuePath, 'first')).status).to.equal(200);
    });

    it('two fleet members can concurrently append to a list and add keys at the same path', async () => {
      const path = 'config/apps/http/servers/s/routes/0/handle/0/headers';
      const made = await server(0).ask('PUT', path, { 'X-List': [] });
      expect(made.status, made.text).to.equal(200);
      await until(async () => (await status(1)).applied === (await status(0)).applied, 'both have it');
      const writers = Array.from({ length: 8 }, async (_, w) => {
        const refusals: string[] = [];
        const member = server(w % 4 < 2 ? 0 : 1);
        for (let i = 0; i < 10; i++) {
          const made =
            w % 2 === 0
              ? await member.ask('POST', `${path}/X-List`, `${w}.${i}`)
              : await member.ask('PUT', `${path}/X-${w}-${i}`, [`${i}`]);
          if (made.status !== 200) refusals.push(`${made.status} ${made.text}`);
        }
        return refusals;
      });
      const refusals = (await Promise.all(writers)).flat();
      expect(refusals).to.deep.equal([]);
      const list = (await server(0).get(`${path}/X-List`)) as string[];
      expect(new Set(list).size).to.equal(list.length);
    });

    it('fleet members reject changes within a second if the store is unavailable, and still list all members', async () => {
      store.pause();
      try {
        await until(async () => (await status(0)).store_away?.kind === 'unavailable', 'it is noticed', 30_000);
        const begun = performance.now();
        const refused = await set(0, 'never');
        expect([refused.status, performance.now() - begun < 1500]).to.deep.equal([503, true]);
        expect(refused.text).to.contain('the fleet store has been unavailable since');
        const { members: known, members_as_of: at } = await status(0);
        expect([known?.map((each) => each.name), typeof at]).to.deep.equal([['a', 'b'], 'string']);
        expect(await server(0).serve()).to.equal('first');
        const warned = server(0)
          .log()
          .split('\n')
          .filter((line) => line.includes('"level":"warn"') && line.includes('fleet store is unavailable'));
        expect(warned, warned.join('\n')).to.have.length(1);
      } finally {
        store.resume();
      }
      await until(async () => (await set(0, 'after')).status === 200, 'changes are made again', 60_000);
    });

    it('a killed fleet member is no longer listed as ready after a few seconds', async () => {
      await until(async () => (await status(0)).members?.length === 2, 'both are listed', 60_000);
      await server(1).kill();
      const begun = performance.now();
      await until(async () => !(await status(0)).members?.some(({ name: each }) => each === 'b'), 'it is gone', 30_000);
      expect(performance.now() - begun).to.be.below(9000);
      await server(1).run();
    });

    it('a fleet member can leave the fleet and join it again', async () => {
      await until(async () => (await server(1).serve().catch(String)) === 'after', 'it serves');
      expect((await server(1).ask('POST', 'fleet/leave')).status).to.equal(200);
      expect(await server(1).serve()).to.equal('after');
      expect((await set(1, 'alone')).status).to.equal(200);
      expect([await server(0).serve(), await server(1).serve()]).to.deep.equal(['after', 'alone']);
      expect((await server(1).ask('GET', 'fleet')).status).to.equal(404);
      await server(1).kill();
      await server(1).run();
      await until(async () => (await server(1).serve()) === 'after', 'it has what the fleet has');
    });

    it('the fleet survives rolling restarts that switch to another store address', async () => {
      for (const i of [0, 1]) {
        await server(i).kill();
        server(i).address = store.other;
        await server(i).run();
        await until(async () => (await status(i)).ready, 'it is ready');
        expect((await set(i, `moved ${i}`)).status).to.equal(200);
      }
      await until(async () => (await server(0).serve()) === 'moved 1', 'all have it');
    });

    it('adopting a wiped store recreates the fleet permanently', async () => {
      const late = await FleetServer.make('late', store.address);
      servers.push(late);
      await store.wipe();
      for (const i of [0, 1])
        await until(async () => (await status(i)).forked !== undefined, 'the member is forked', 30_000);
      await until(async () => (await status(0)).members?.length === 2, 'both are listed again', 30_000);
      const own = documentOf([late], 0) as { apps: { http: { servers: { s: { routes: object[] } } } } };
      await late.start(own);
      await until(
        async () => ((await late.get('fleet').catch(() => ({}))) as Status).store_away?.kind === 'empty',
        'it waits',
        60_000,
      );
      expect(await (await server(0).ask('POST', 'fleet/adopt?dry_run')).text).to.contain('"founds":true');
      expect((await server(0).ask('POST', 'fleet/adopt')).status).to.equal(200);
      expect((await server(1).ask('POST', 'fleet/adopt')).status).to.equal(200);
      await late.kill();
      for (const i of [0, 1]) {
        await server(i).kill();
        await server(i).run();
        await until(async () => (await status(i)).ready, 'it is ready');
        expect((await status(i)).forked).to.equal(undefined);
      }
      expect((await set(1, 'again')).status).to.equal(200);
      await until(async () => (await server(0).serve()) === 'again', 'all have it');
    });

    it('a new machine opens its admin endpoint while the store is unavailable, but is not ready', async () => {
      const fresh = await FleetServer.make('fresh', store.address);
      servers.push(fresh);
      store.pause();
      try {
        await fresh.start(documentOf([fresh], 0));
        await until(
          async () => (await fresh.ask('GET', 'readyz').catch(() => null))?.status === 503,
          'it says not ready',
          60_000,
        );
        expect(((await fresh.get('fleet')) as Status).ready).to.equal(false);
      } finally {
        store.resume();
      }
      // The fleet document does not contain the member's ports, so other members must confirm that it has joined.
      await until(
        async () => (await status(0)).members?.some((each) => each.name === 'fresh' && each.ready === true) === true,
        'it joins',
        60_000,
      );
    });
  });
