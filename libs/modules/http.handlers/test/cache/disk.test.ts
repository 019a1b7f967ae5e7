import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import type { TestServer } from '@sluice/testing';
import { cached, send, serveCached, type Origin, type Respond } from './support.ts';

const counting: Respond = (exchange, count) =>
  send(exchange, { 'cache-control': 'max-age=60', 'surrogate-key': `t${count}` }, `body ${count}`);

describe('http.handlers.cache on disk', () => {
  let directory = '';

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'cache-'));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  /** Runs a test with a server that uses separate memory, as another process would. */
  async function withDisk(
    test: (server: TestServer, origin: Origin) => Promise<void>,
    respond: Respond = counting,
    more: JsonObject = {},
  ): Promise<void> {
    const disk = { path: directory, size: 16 * 1024 * 1024 };
    const { server, origin } = await serveCached(cached({ disk, ...more }), respond);
    try {
      await test(server, origin);
      // Requests do not wait for the disk.
      await wait(30);
    } finally {
      await server.close();
    }
  }

  const segments = (): string[] => readdirSync(directory).sort();

  it('the disk store of the cache serves stored responses after a restart', async () => {
    await withDisk(async (server) => {
      for (const path of ['/a', '/b']) await server.request(path);
    });
    await withDisk(async (server, origin) => {
      expect((await server.request('/a')).text).to.equal('body 1');
      expect((await server.request('/b')).text).to.equal('body 2');
      expect((await server.request({ path: '/b', headers: { range: 'bytes=0-3' } })).text).to.equal('body');
      expect(origin.count).to.equal(0);
    });
  });

  it('the disk store of the cache keeps the latest response for each key and variant', async () => {
    const respond: Respond = (exchange, count) =>
      exchange.path === '/v'
        ? send(exchange, { 'cache-control': 'max-age=60', vary: 'x' }, `${exchange.headers.get('x')}`)
        : counting(exchange, count);
    await withDisk(async (server) => {
      await server.request('/a');
      await server.request({ path: '/a', headers: { 'cache-control': 'no-cache' } });
      for (const x of ['1', '2', '3']) await server.request({ path: '/v', headers: { x } });
    }, respond);
    await withDisk(async (server, origin) => {
      expect((await server.request('/a')).text).to.equal('body 2');
      for (const x of ['1', '2', '3']) expect((await server.request({ path: '/v', headers: { x } })).text).to.equal(x);
      expect(origin.count).to.equal(0);
    });
  });

  it('the disk store of the cache does not restore responses that were purged or invalidated before a restart', async () => {
    await withDisk(async (server) => {
      for (const path of ['/a', '/b', '/c', '/d']) await server.request(path);
      await wait(20);
      await server.request({ method: 'POST', path: '/a' });
      await server.admin('/cache/objects?tag=t2', { method: 'DELETE' });
    });
    await withDisk(async (server, origin) => {
      const purge = await server.admin('/cache/objects?tag=t3', { method: 'DELETE' });
      expect(purge.json()).to.deep.equal({ purged: 1 });
      for (const path of ['/a', '/b', '/c']) expect((await server.request(path)).text).to.equal(`body ${origin.count}`);
      expect(origin.count).to.equal(3);
      expect((await server.request('/d')).text).to.equal('body 4');
      const all = await server.admin('/cache/objects?all', { method: 'DELETE' });
      expect((all.json() as { purged: number }).purged).to.equal(4);
    });
    await withDisk(async (server, origin) => {
      await server.request('/d');
      expect(origin.count).to.equal(1);
    });
  });

  it('the disk store of the cache drops an incomplete record, and keeps preceding records', async () => {
    await withDisk(async (server) => {
      for (const path of ['/a', '/b']) await server.request(path);
    });
    const [segment = ''] = segments();
    const file = join(directory, segment);
    truncateSync(file, statSync(file).size - 3);
    await withDisk(async (server, origin) => {
      expect((await server.request('/a')).text).to.equal('body 1');
      expect((await server.request('/b')).text).to.equal('body 1');
      expect(origin.count).to.equal(1);
    });
  });

  it('the disk store of the cache does not serve responses whose bytes have changed on disk', async () => {
    await withDisk(async (server) => {
      for (const path of ['/a', '/b']) await server.request(path);
    });
    const [segment = ''] = segments();
    const file = join(directory, segment);
    const bytes = readFileSync(file);
    bytes[bytes.indexOf('body 1') + 5] = 0x39;
    writeFileSync(file, bytes);
    appendFileSync(file, 'SLC1 and then something else, which is longer than the head of a record');
    await withDisk(async (server, origin) => {
      expect((await server.request('/b')).text).to.equal('body 2');
      expect((await server.request('/a')).text).to.equal('body 1');
      expect(origin.count).to.equal(1);
    });
  });

  it('the disk store of the cache stays within its size limit by deleting the oldest files', async () => {
    const body = Buffer.alloc(100_000, 'x');
    const respond: Respond = (exchange) => send(exchange, { 'cache-control': 'max-age=60' }, body);
    await withDisk(
      async (server, origin) => {
        for (let i = 0; i < 300; i++) {
          await server.request(`/${i}`);
          if (i % 5 === 0) await wait(5);
        }
        await wait(50);
        const size = segments().reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
        expect(size).to.be.within(12 * 1024 * 1024, 16 * 1024 * 1024);
        // The object has been evicted from memory but not from disk.
        expect((await server.request('/250')).body.equals(body)).to.equal(true);
        expect(origin.count).to.equal(300);
        await server.request('/0');
        expect(origin.count).to.equal(301);
      },
      respond,
      { memory: 1024 * 1024 },
    );
  });
});
