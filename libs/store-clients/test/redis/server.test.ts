import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort, hasRedis, RedisServer, throwAwayCertificate } from '@sluice/testing';
import { readTlsFiles } from '../../src/tls-files.ts';
import type { RedisAddress } from '../../src/redis/client.ts';
import { RedisConnection, type RedisCall } from '../../src/redis/connection.ts';
import { faults } from '../faults.ts';

const title = 'calls to a Redis';
const count: RedisCall = { script: "return redis.call('INCR', KEYS[1])", keys: ['count'], values: [] };

describe(hasRedis ? title : `${title} (skipped: this machine has no redis-server)`, () => {
  let server: RedisServer;
  const connections: RedisConnection[] = [];
  const servers: RedisServer[] = [];
  before(async function () {
    if (!hasRedis) this.skip();
    server = await RedisServer.start();
  });
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close();
    for (const each of servers.splice(0)) await each.stop();
  });
  after(() => server?.stop());

  const start = async (...options: readonly string[]): Promise<RedisServer> => {
    const another = await RedisServer.startCareful(...options);
    servers.push(another);
    return another;
  };
  const placeOf = ({ port }: { readonly port: number }): string => `127.0.0.1:${port}`;
  function connect(address: Partial<RedisAddress> = {}, strict = true): RedisConnection {
    const defaults = { endpoints: [placeOf(server)], sentinelMaster: '', username: '', password: '', database: 0 };
    const connection = new RedisConnection({ ...defaults, tls: null, ...address }, faults, strict);
    connections.push(connection);
    return connection;
  }
  const failure = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      (value) => `it is ${JSON.stringify(value)}`,
      (error: unknown) => (error as Error).message,
    );
  const until = async (done: () => boolean): Promise<void> => {
    while (!done()) await sleep(5);
  };

  it('RedisConnection runs a script with keys and values, and returns its result', async () => {
    const connection = connect();
    const call = {
      script: "redis.call('SET', KEYS[1], ARGV[1]) return {redis.call('GET', KEYS[1]), ARGV[2], 3, false, {KEYS[2]}}",
      keys: ['a key', 'another'],
      values: [Buffer.from('é'), 2],
    };
    expect(await connection.run(call)).to.deep.equal(['é', '2', 3, null, ['another']]);
    expect(await connection.decide({ script: 'return nil', keys: [], values: [] })).to.equal(null);
  });

  it('RedisConnection rejects with the error of the server, without reporting an unknown result', async () => {
    const connection = connect();
    const bad = { script: "return redis.error_reply('ERR not so')", keys: [], values: [] };
    expect(await failure(connection.run(bad))).to.equal('refused: redis: ERR not so');
    expect(await failure(connection.decide(bad))).to.equal('refused: redis: ERR not so');
    const busy = { ...bad, script: "return redis.error_reply('BUSY for now')" };
    expect(await failure(connection.decide(busy))).to.equal('refused: redis: BUSY for now');
  });

  it('RedisConnection.durability is available after the first connection', async () => {
    const connection = connect();
    expect(connection.durability).to.equal(null);
    await connection.run(count);
    expect(connection.durability).to.deep.equal({ durable: true, losses: [] });
  });

  it('RedisConnection rejects a server that may lose acknowledged writes unless this is allowed', async () => {
    const careless = await RedisServer.start([]);
    servers.push(careless);
    const endpoints = [placeOf(careless)];
    expect(await failure(connect({ endpoints }).run(count))).to.contain('may lose acknowledged writes');
    expect(await connect({ endpoints }, false).run(count)).to.equal(1);
  });

  it('RedisConnection uses the server that accepts writes', async () => {
    const [primary, replica] = [await start(), await start()];
    replica.control('REPLICAOF', '127.0.0.1', String(primary.port));
    const endpoints = [`127.0.0.1:${await freePort()}`, placeOf(replica), placeOf(primary)];
    const connection = connect({ endpoints });
    expect(await connection.decide(count)).to.equal(1);
    // The connection stays with the server that it selected.
    expect(await connection.decide(count)).to.equal(2);
    const none = connect({ endpoints: endpoints.slice(0, 2) });
    expect(await failure(none.decide(count))).to.contain(`${placeOf(replica)} is a replica`);
  });

  it('RedisConnection.decide reports an unknown result if the server does not respond, and RedisConnection.run retries @long', async () => {
    const own = await start();
    const connection = connect({ endpoints: [placeOf(own)] });
    await connection.run(count);
    own.signal('SIGSTOP');
    const code = await failure(connection.decide(count));
    own.signal('SIGCONT');
    expect(code).to.equal('unknown');
    await own.kill();
    expect(await failure(connection.decide(count))).to.match(/^refused: /);
    await own.run();
    expect(await connection.run(count)).to.be.oneOf([2, 3]);
  });

  it('RedisConnection delivers notifications even after the subscribed connection was lost', async () => {
    const own = await start();
    const connection = connect({ endpoints: [placeOf(own)] });
    await connection.run(count);
    let hints = 0;
    const end = connection.subscribe('news', () => hints++);
    // The first hint indicates that the connection is subscribed.
    await until(() => hints === 1);
    own.control('PUBLISH', 'news', 'x');
    await until(() => hints === 2);
    own.control('PUBLISH', 'other', 'x');
    own.control('CLIENT', 'KILL', 'TYPE', 'pubsub');
    // Of the four hints, one reports that notifications may have been missed, and one reports the new subscription.
    await until(() => hints === 4);
    own.control('PUBLISH', 'news', 'x');
    await until(() => hints === 5);
    end();
    own.control('PUBLISH', 'news', 'x');
    await connection.run(count);
    expect(hints).to.equal(5);
  });

  it('RedisConnection delivers notifications again after the server was unavailable', async () => {
    const own = await start();
    const connection = connect({ endpoints: [placeOf(own)] });
    let hints = 0;
    connection.subscribe('news', () => hints++);
    await until(() => hints === 1);
    await connection.run(count);
    await own.kill();
    await until(() => hints > 1);
    expect(await failure(connection.run(count))).to.match(/^refused: /);
    await own.run();
    await connection.run(count);
    // The subscription is active before its confirmation arrives.
    await until(() => own.control('PUBSUB', 'NUMSUB', 'news').endsWith('1'));
    await sleep(20);
    const before = hints;
    own.control('PUBLISH', 'news', 'x');
    await until(() => hints === before + 1);
  });

  it('RedisConnection delivers no notifications and rejects calls after it has been closed', async () => {
    const connection = connect();
    let hints = 0;
    connection.subscribe('news', () => hints++);
    await until(() => hints === 1);
    connection.close();
    expect(await failure(connection.run(count))).to.equal('refused: redis: refused: the store is closed');
    await sleep(20);
    expect(hints).to.equal(1);
  });

  it('RedisConnection authenticates, and selects the database', async () => {
    const guarded = await start('--requirepass', 'secret');
    guarded.control('-a', 'secret', '--no-auth-warning', 'ACL', 'SETUSER', 'me', 'on', '>mine', '~*', '&*', '+@all');
    const endpoints = [placeOf(guarded)];
    expect(await failure(connect({ endpoints }).run(count))).to.contain('NOAUTH');
    expect(await failure(connect({ endpoints, password: 'wrong' }).run(count))).to.contain('WRONGPASS');
    expect(await connect({ endpoints, password: 'secret' }).run(count)).to.equal(1);
    expect(await connect({ endpoints, username: 'me', password: 'mine' }).run(count)).to.equal(2);
    expect(await connect({ endpoints, password: 'secret', database: 3 }).run(count)).to.equal(1);
  });

  it('RedisConnection connects over TLS to an IP address, presents a client certificate, and skips verification only if configured', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-redis-'));
    const { cert, key } = await throwAwayCertificate(['127.0.0.1']);
    const [ca, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await writeFile(ca, cert);
    await writeFile(keyFile, key);
    const port = await freePort();
    await start(
      ...['--tls-port', String(port), '--tls-cert-file', ca, '--tls-key-file', keyFile, '--tls-ca-cert-file', ca],
    );
    const endpoints = [`127.0.0.1:${port}`];
    const own = await readTlsFiles({ ca, certificate: ca, key: keyFile });
    expect(await connect({ endpoints, tls: own }).run(count)).to.equal(1);
    const without = await readTlsFiles({ ca });
    expect(await failure(connect({ endpoints, tls: without }).run(count))).to.match(/^refused: redis: /);
    const mismatch = connect({ endpoints: [`localhost:${port}`], tls: own });
    expect(await failure(mismatch.run(count))).to.contain("Host: localhost. is not cert's");
    const untrusted = await readTlsFiles({ certificate: ca, key: keyFile });
    if (untrusted === null) throw new Error('TLS is wanted');
    expect(await failure(connect({ endpoints, tls: untrusted }).run(count))).to.contain('self-signed certificate');
    expect(await connect({ endpoints, tls: { ...untrusted, insecure: true } }).run(count)).to.equal(2);
    await rm(folder, { recursive: true });
  });

  it('RedisConnection finds a server by socket path and through Sentinel', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-redis-'));
    const socket = join(folder, 'redis.sock');
    const own = await start('--unixsocket', socket);
    expect(await connect({ endpoints: [socket] }).run(count)).to.equal(1);
    const file = join(folder, 'sentinel.conf');
    await writeFile(file, `sentinel monitor main 127.0.0.1 ${own.port} 1\n`);
    const sentinel = await RedisServer.startSentinel(file);
    servers.push(sentinel);
    expect(await connect({ endpoints: [placeOf(sentinel)], sentinelMaster: 'main' }).run(count)).to.equal(2);
    await rm(folder, { recursive: true });
  });
});
