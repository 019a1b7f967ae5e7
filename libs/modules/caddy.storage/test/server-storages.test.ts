import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { storages, type Storage } from '@sluice/contracts';
import {
  hasPostgres,
  hasRedis,
  hasS3,
  PostgresServer,
  provision,
  RedisServer,
  refusal,
  S3Server,
} from '@sluice/testing';
import { EtcdServer, hasEtcd } from '@sluice/testing/etcd';
import { register } from '@sluice/caddy.storage';
import { BucketServer } from './bucket-server.ts';
import { openFrom } from './open-storage.ts';

/** A real store server and the configuration of its storage. */
interface Server {
  readonly port: number;
  stop(): Promise<void>;
}

const bucketAt = (port: number): JsonObject => ({
  module: 's3',
  endpoint: `http://127.0.0.1:${port}`,
  bucket: 'certificates',
  access_id: 'id',
  secret_key: 'secret',
  prefix: 'ssl/',
});

const kinds = {
  etcd: {
    there: hasEtcd,
    // The minimum lease duration that etcd grants.
    span: 2000,
    stops: 2,
    start: (): Promise<Server> => EtcdServer.start(),
    config: (port: number): JsonObject => ({ module: 'etcd', endpoints: [`http://127.0.0.1:${port}/`] }),
  },
  s3: { there: true, span: 600, stops: 5, start: (): Promise<Server> => BucketServer.start(), config: bucketAt },
  's3 on a real server': {
    there: hasS3,
    span: 600,
    stops: 2,
    start: (): Promise<Server> => S3Server.start(),
    config: bucketAt,
  },
  redis: {
    there: hasRedis,
    span: 600,
    stops: 5,
    start: (): Promise<Server> => RedisServer.start(),
    config: (port: number): JsonObject => ({ module: 'redis', address: [`127.0.0.1:${port}`] }),
  },
  postgres: {
    there: hasPostgres,
    span: 600,
    stops: 5,
    start: (): Promise<Server> => PostgresServer.start(),
    config: (port: number): JsonObject => ({ module: 'postgres', host: '127.0.0.1', port }),
  },
} as const;

/** Number of suspended lock owners to test. The README describes how to increase it. */
const wanted = process.env['SLUICE_STOPPED_HOLDERS'];
for (const [name, kind] of Object.entries(kinds)) {
  const { span } = kind;
  const [engine = ''] = name.split(' ');
  const stops = Number(wanted ?? kind.stops);
  const title = `caddy.storage.${name}`;
  describe(kind.there ? title : `${title} (skipped: this machine has no such server)`, function () {
    this.timeout(60_000);
    let server: Server;
    let storage: Storage & { close(): unknown };

    before(async function () {
      if (!kind.there) this.skip();
      server = await kind.start();
      storage = await openFrom(engine, server.port, span);
    });

    afterEach(async () => {
      if (!kind.there) return;
      for (const key of await storage.list('')) if (key !== 'locks') await storage.delete(key);
    });

    after(async () => {
      if (!kind.there) return;
      await storage.close();
      await server.stop();
    });

    it('a server storage can be used in the storage section', async () => {
      const { instance, close } = await provision(storages, kind.config(server.port), {
        register: [register],
        key: 'module',
      });
      await instance.store('a/b', 'x');
      expect(String(await storage.load('a/b'))).to.equal('x');
      await close();
    });

    it('a server storage stores and returns values with any bytes', async () => {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
      await storage.store('a/b.crt', 'one');
      await storage.store('a/b.crt', bytes);
      expect((await storage.load('a/b.crt'))?.equals(bytes)).to.equal(true);
      await storage.store('a/empty', '');
      expect(String(await storage.load('a/empty'))).to.equal('');
    });

    it('a server storage reports missing values, and distinguishes values from directories', async () => {
      await storage.store('a/b', 'abc');
      for (const key of ['none', 'a/none', 'a/b/below']) {
        expect(await storage.load(key), key).to.equal(null);
        expect(await storage.stat(key), key).to.equal(null);
        expect(await storage.exists(key), key).to.equal(false);
        await storage.delete(key);
      }
      expect(await storage.stat('a/b')).to.include({ key: 'a/b', size: 3, terminal: true });
      expect((await storage.stat('a/b'))?.modified).to.be.closeTo(Date.now(), 60_000);
      expect(await storage.stat('a')).to.include({ key: 'a', terminal: false });
      expect([await storage.load('a'), await storage.exists('a')]).to.deep.equal([null, true]);
    });

    it('a server storage lists a directory, optionally recursively, and removes a key recursively', async () => {
      for (const key of ['a/one', 'a/sub/two', 'a/sub/three', 'ab', 'b%_']) await storage.store(key, 'x');
      const lock = await storage.lock('held');
      expect((await storage.list('')).filter((key) => key !== 'locks')).to.deep.equal(['a', 'ab', 'b%_']);
      expect(await storage.list('a')).to.deep.equal(['a/one', 'a/sub']);
      expect(await storage.list('a', true)).to.deep.equal(['a/one', 'a/sub/three', 'a/sub/two']);
      await lock.release();
      await storage.delete('a/sub/two');
      expect(await storage.list('a/sub')).to.deep.equal(['a/sub/three']);
      await storage.delete('a');
      expect(await storage.list('', true)).to.deep.equal(['ab', 'b%_']);
    });

    it('a server storage rejects keys with path traversal', async () => {
      for (const key of ['', '../x', 'a//b', 'a/.', 'a\0'])
        expect(await storage.store(key, 'x').catch((error: unknown) => error), key).to.include({
          code: 'ERR_STORAGE_KEY',
        });
    });

    it('a server storage lock has one owner at a time, and waiting for the lock can be aborted @long', async () => {
      let inside = 0;
      const visits = Array.from({ length: 6 }, async () => {
        const lock = await storage.lock('name');
        expect(++inside).to.equal(1);
        await sleep(5);
        inside--;
        await lock.release();
      });
      await Promise.all(visits);
      const lock = await storage.lock('name');
      const waiting = storage.lock('name', { signal: AbortSignal.timeout(span * 3) });
      expect(
        await waiting.then(
          () => 'taken',
          () => 'waited',
        ),
      ).to.equal('waited');
      expect(lock.lost.aborted).to.equal(false);
      await lock.release();
    });

    it('a storage module for a database server writes atomically while it holds a lock, and rejects writes once the lock is lost', async () => {
      const lock = await storage.lock('pair');
      await storage.store('p/old', 'x');
      await lock.write?.(
        new Map([
          ['p/crt', 'certificate'],
          ['p/key', 'key'],
          ['p/old', null],
        ]),
      );
      expect(await storage.list('p', true)).to.deep.equal(['p/crt', 'p/key']);
      await lock.release();
      const failure = await lock.write?.(new Map([['p/crt', 'late']])).catch((error: unknown) => error);
      expect(failure).to.include({ code: 'ERR_STORAGE_LOCK' });
      expect(String(await storage.load('p/crt'))).to.equal('certificate');
    });

    it(`a server storage rejects ${stops} of ${stops} writes whose owner was suspended for three times the lock duration @long`, async function () {
      this.timeout(30_000 + stops * 10_000);
      const program = join(import.meta.dirname, 'stopped-holder.ts');
      for (let i = 0; i < stops; i++) {
        const words = ['--conditions=@sluice/source', program, engine, String(server.port), String(span)];
        const holder = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
        expect(String((await once(holder.stdout, 'data'))[0])).to.equal('held\n');
        holder.kill('SIGSTOP');
        await sleep(span * 3);
        const lock = await storage.lock('pair');
        await lock.write?.(
          new Map([
            ['p/crt', `second ${i}`],
            ['p/key', `second ${i}`],
          ]),
        );
        // In every other round, the second owner has already released its lock.
        if (i % 2 === 0) await lock.release();
        const said = once(holder.stdout, 'data');
        holder.stdin.write('write\n');
        holder.kill('SIGCONT');
        expect(String((await said)[0]), `run ${i}`).to.equal('ERR_STORAGE_LOCK\n');
        const exit = once(holder, 'exit');
        holder.stdin.end();
        await exit;
        for (const key of ['p/crt', 'p/key']) expect(String(await storage.load(key))).to.equal(`second ${i}`);
        await lock.release();
      }
    });
  });
}

describe('storage layouts compatible with Caddy', () => {
  it("Redis storage has Caddy's layout: JSON with base64, optionally compressed, and a sorted set per directory", async function () {
    if (!hasRedis) this.skip();
    const server = await RedisServer.start();
    const storage = await openFrom('redis', server.port, kinds.redis.span);
    const stored = (value: Buffer, compression: number): string =>
      JSON.stringify({
        value: value.toString('base64'),
        modified: '2024-05-01T10:00:00.5+02:00',
        size: 3,
        compression,
        encryption: 0,
      });
    server.control('SET', 'caddy/certificates/a/a.crt', stored(Buffer.from('one'), 0));
    server.control('SET', 'caddy/certificates/a/a.key', stored(deflateRawSync('two'), 1));
    server.control('SET', 'caddy/secret', stored(Buffer.from('x'), 0).replace('"encryption":0', '"encryption":1'));
    server.control('ZADD', 'caddy/certificates/a', '1', 'a.crt', '1', 'a.key');
    server.control('ZADD', 'caddy/certificates', '1', 'a/');
    server.control('ZADD', 'caddy', '1', 'certificates/', '1', 'secret');
    try {
      expect(String(await storage.load('certificates/a/a.crt'))).to.equal('one');
      expect(String(await storage.load('certificates/a/a.key'))).to.equal('two');
      expect((await storage.stat('certificates/a/a.crt'))?.modified).to.equal(Date.UTC(2024, 4, 1, 8, 0, 0, 500));
      expect(await storage.list('', true)).to.deep.equal(['certificates/a/a.crt', 'certificates/a/a.key', 'secret']);
      expect(await storage.load('secret').catch((error: unknown) => error)).to.include({ code: 'ERR_STORAGE_VALUE' });
      await storage.store('certificates/b/b.crt', 'three');
      expect(server.control('ZRANGE', 'caddy/certificates', '0', '-1').split('\n')).to.deep.equal(['a/', 'b/']);
      expect(JSON.parse(server.control('GET', 'caddy/certificates/b/b.crt'))).to.include({
        value: 'dGhyZWU=',
        size: 5,
        compression: 0,
      });
      await storage.delete('certificates');
      expect(server.control('KEYS', '*').split('\n').sort()).to.deep.equal(['caddy', 'caddy/secret']);
    } finally {
      storage.close();
      await server.stop();
    }
  });

  it("PostgreSQL storage has Caddy's layout: one row per value @long", async function () {
    this.timeout(60_000);
    if (!hasPostgres) this.skip();
    const server = await PostgresServer.start();
    server.control(
      'CREATE TABLE certmagic_data (key text primary key, value bytea, modified timestamptz default current_timestamp)',
    );
    server.control(
      'CREATE TABLE certmagic_locks (key text primary key, expires timestamptz default current_timestamp)',
    );
    server.control(`INSERT INTO certmagic_data (key, value) VALUES ('certificates/a/a.crt', 'one')`);
    server.control(`INSERT INTO certmagic_locks VALUES ('issue_cert_a', now() + interval '1 second')`);
    const storage = await openFrom('postgres', server.port, kinds.postgres.span);
    try {
      expect(String(await storage.load('certificates/a/a.crt'))).to.equal('one');
      const lock = await storage.lock('issue_cert_a');
      expect(server.control(`SELECT count(*) FROM certmagic_locks WHERE expires > now()`)).to.equal('1');
      await lock.release();
      await storage.store('b', 'two');
      expect(server.control(`SELECT convert_from(value, 'UTF8') FROM certmagic_data WHERE key = 'b'`)).to.equal('two');
    } finally {
      await storage.close();
      await server.stop();
    }
  });

  it('Redis storage selects the database by number', async () => {
    const message = await refusal(storages, { module: 'redis', db: 'x' }, { register: [register], key: 'module' });
    expect(message).to.contain('must be a database number, such as 0');
  });
});
