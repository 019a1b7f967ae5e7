/** Tests `http.handlers.rate_limit` with `distributed` for two servers that share a store. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { hasRedis, RedisServer } from '@sluice/testing';
import { config, says, TestServer } from '../support/server.ts';
import { Sandbox } from '../support/sandbox.ts';

/** Interval of both writes and reads, in milliseconds. */
const interval = 200;
const window = 60_000;
const max = 400;
/** Number of requests per second sent to each server. */
const rate = 100;

const title = 'rate_limit of two servers with a Redis storage';

describe(hasRedis ? title : `${title} (skipped: this machine has no redis-server)`, function () {
  this.timeout(60_000);
  const sandboxes: Sandbox[] = [];
  let redis: RedisServer | null = null;
  before(function () {
    if (!hasRedis) this.skip();
  });
  afterEach(async () => {
    for (const sandbox of sandboxes.splice(0)) await sandbox.remove();
    await redis?.stop();
    redis = null;
  });

  function start(port: number): Promise<TestServer> {
    const sandbox = new Sandbox();
    sandboxes.push(sandbox);
    const limit = {
      handler: 'rate_limit',
      rate_limits: { z: { key: 'all', window: `${window}ms`, max_events: max } },
      distributed: { write_interval: `${interval}ms`, read_interval: `${interval}ms` },
    };
    return TestServer.runWith(
      sandbox,
      (admin, http) => ({
        ...config(admin, http, [{ handle: [limit] }, says('ok')]),
        storage: { module: 'redis', address: [`127.0.0.1:${port}`] },
      }),
      ['--workers', '2'],
    );
  }

  /** Sends requests at the given rate until several in a row are rejected. Returns the number of allowed requests. */
  async function allowed(server: TestServer): Promise<number> {
    let count = 0;
    const began = performance.now();
    for (let sent = 0, rejected = 0; rejected < 50; sent++) {
      if ((await server.http()).status === 200) {
        count++;
        rejected = 0;
      } else rejected++;
      await sleep(Math.max(0, (sent * 1000) / rate - (performance.now() - began)));
    }
    return count;
  }

  it('two servers exceed the shared rate limit by at most the number of requests between a write and the next read @long', async () => {
    redis = await RedisServer.start();
    const servers = [await start(redis.port), await start(redis.port)];
    const counts = await Promise.all(servers.map(allowed));
    const sum = counts.reduce((a, b) => a + b);
    // Upper bound for requests that the servers have not yet exchanged. A server learns of the other server's requests after a write and a
    // read interval. Intervals may be longer on a busy machine.
    const unknown = 2 * rate * ((2 * interval) / 1000) * 1.5;
    expect(sum).to.be.within(max, max + unknown);
    expect(Math.min(...counts)).to.be.greaterThan(max / 4);
  });

  it('a server counts requests locally while the store is unavailable, and together with other servers afterward @long', async () => {
    redis = await RedisServer.start();
    const { port } = redis;
    const servers = [await start(port), await start(port)];
    await redis.kill();
    await sleep(interval);
    for (const server of servers) for (let i = 0; i < max / 2; i++) expect((await server.http()).status).to.equal(200);
    await redis.run();
    const end = performance.now() + 10_000;
    let status = 200;
    while (status === 200 && performance.now() < end) {
      status = (await servers[0]!.http()).status;
      await sleep(interval);
    }
    expect(status).to.equal(429);
  });
});
