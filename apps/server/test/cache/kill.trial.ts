/**
 * Kills a server while it stores responses in the cache, and checks the responses of the restarted server: `CACHE_OBJECTS=100000 npx nx
 * trial @sluice/server`. Default: 3,000 objects.
 */
import { Agent, request } from 'node:http';
import { expect } from 'chai';
import { config, TestServer } from '../support/server.ts';
import { Sandbox } from '../support/sandbox.ts';
import { bodyOf, startOrigin, type Origin } from './origin.ts';

const objects = Number(process.env['CACHE_OBJECTS'] ?? 3000);
const concurrency = 32;

interface Got {
  readonly status: number;
  readonly body: Buffer;
}

describe('http.handlers.cache on disk after a kill', function () {
  this.timeout(60_000 + objects * 20);
  let sandbox: Sandbox;
  let origin: Origin;
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });

  beforeEach(async () => {
    sandbox = new Sandbox();
    origin = await startOrigin();
  });

  afterEach(async () => {
    agent.destroy();
    origin.close();
    await sandbox.remove();
  });

  function start(): Promise<TestServer> {
    const disk = { path: `${sandbox.folder}/responses`, size: 4 * 1024 ** 3 };
    const upstreams = [{ dial: `127.0.0.1:${origin.port}` }];
    const handle = [
      { handler: 'cache', memory: 4 * 1024 * 1024, disk },
      { handler: 'reverse_proxy', upstreams },
    ];
    return TestServer.runWith(sandbox, (admin, http) => config(admin, http, [{ handle }]), ['--workers', '2']);
  }

  function get(server: TestServer, path: string, headers: Record<string, string> = {}): Promise<Got> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { host: '127.0.0.1', port: server.httpPort, path, headers: { host: 'example.test', ...headers }, agent },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
        },
      );
      outgoing.on('error', reject).end();
    });
  }

  /** Requests all objects. Each connection stops at its first failure. */
  async function getAll(ask: (path: string) => Promise<void>): Promise<void> {
    let next = 0;
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (next < objects) await ask(`/${next++}`);
      }),
    );
  }

  it(`the cache serves only complete responses after the server was killed while storing ${objects} objects`, async () => {
    const first = await start();
    let stored = 0;
    const filling = getAll(async (path) => {
      await get(first, path);
      // Kills the server while the last objects are being written to disk.
      if (++stored === objects - concurrency) first.signal('SIGKILL');
    });
    await filling.catch(() => undefined);
    await first.started.ended;
    expect(stored).to.be.at.least(objects - concurrency);
    const second = await start();
    const before = origin.count;
    let served = 0;
    await getAll(async (path) => {
      const { status, body } = await get(second, path, { 'cache-control': 'only-if-cached' });
      if (status === 504) return;
      expect(status).to.equal(200);
      expect(body.equals(bodyOf(path)), `wrong bytes of ${path}`).to.equal(true);
      served++;
    });
    expect(origin.count).to.equal(before);
    expect(served).to.be.within(Math.floor(objects * 0.95), objects);
    process.stdout.write(`      ${served} of ${objects} responses survived\n`);
    await second.stop();
  });
});
