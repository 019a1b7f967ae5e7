import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort, throwAwayCertificate } from '@sluice/testing';
import { EtcdServer, hasEtcd } from '@sluice/testing/etcd';
import {
  below,
  createdAt,
  EtcdConnection,
  EtcdLease,
  get,
  keyOf,
  missing,
  modifiedAt,
  put,
  remove,
  valueIs,
  type EtcdAddress,
  type RangeResponse,
  type TxnResponse,
  type WatchResponse,
} from '../../src/etcd/index.ts';
import { readTlsFiles } from '../../src/tls-files.ts';
import { faults } from '../faults.ts';

const title = 'connection to an etcd';

describe(hasEtcd ? title : `${title} (skipped: this machine has no etcd)`, function () {
  this.timeout(120_000);
  let server: EtcdServer;
  const connections: EtcdConnection[] = [];
  const servers: EtcdServer[] = [];
  before(async function () {
    if (!hasEtcd) this.skip();
    server = await EtcdServer.start();
  });
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close();
    for (const each of servers.splice(0)) await each.stop();
  });
  after(() => server?.stop());

  const placeOf = ({ port }: { readonly port: number }): string => `127.0.0.1:${port}`;
  function connect(address: Partial<EtcdAddress> = {}): EtcdConnection {
    const defaults = { endpoints: [placeOf(server)], username: '', password: '', tls: null };
    const connection = new EtcdConnection({ ...defaults, ...address }, faults);
    connections.push(connection);
    return connection;
  }
  const failure = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      (value) => `it is ${JSON.stringify(value)}`,
      (error: unknown) => (error as Error).message,
    );
  const transact = (connection: EtcdConnection, request: object): Promise<TxnResponse> =>
    connection.decide<TxnResponse>('KV', 'Txn', { compare: [], success: [], failure: [], ...request });
  const read = async (connection: EtcdConnection, prefix: string): Promise<Record<string, string>> => {
    const { kvs } = await connection.call<RangeResponse>('KV', 'Range', below(prefix));
    return Object.fromEntries(kvs.map(({ key, value }) => [String(key), String(value)]));
  };

  it('EtcdConnection runs transactions with conditions on keys', async () => {
    const connection = connect();
    const first = await transact(connection, {
      compare: [missing('t/a')],
      success: [put('t/a', '1'), put('t/b', '2')],
    });
    expect(first.succeeded).to.equal(true);
    const { revision } = first.header;
    expect((await transact(connection, { compare: [missing('t/a')] })).succeeded).to.equal(false);
    for (const [compare, holds] of [
      [createdAt('t/a', revision), true],
      [createdAt('t/a', '1'), false],
      [modifiedAt('t/a', revision), true],
      [modifiedAt('t/a', '0'), false],
      [valueIs('t/a', '1'), true],
      [valueIs('t/a', '2'), false],
    ] as const)
      expect((await transact(connection, { compare: [compare] })).succeeded, JSON.stringify(compare)).to.equal(holds);
    const { responses } = await transact(connection, { success: [get('t/b'), remove(keyOf('t/b'))] });
    expect(String(responses[0]?.response_range?.kvs[0]?.value)).to.equal('2');
    expect(await read(connection, 't/')).to.deep.equal({ 't/a': '1' });
  });

  it('EtcdConnection rejects with the error of the node', async () => {
    const twice = { success: [put('x', '1'), put('x', '2')] };
    expect(await failure(transact(connect(), twice))).to.match(/^refused: etcd: .*duplicate key/);
    expect(await failure(connect().call('KV', 'Range', {}))).to.match(/^refused: etcd: .*key is not provided/);
  });

  it('EtcdConnection tries the next node, and reports that nothing was changed if all nodes are unavailable', async () => {
    const unavailable = `127.0.0.1:${await freePort()}`;
    const connection = connect({ endpoints: [unavailable, placeOf(server)] });
    await transact(connection, { success: [put('n/a', '1')] });
    expect(await read(connection, 'n/')).to.deep.equal({ 'n/a': '1' });
    expect(await failure(transact(connect({ endpoints: [unavailable] }), {}))).to.match(
      /^refused: etcd: No connection/,
    );
    connection.turn();
    expect(await read(connection, 'n/')).to.deep.equal({ 'n/a': '1' });
  });

  it('EtcdConnection reports an unknown result if a node does not respond @long', async () => {
    const connection = connect();
    await read(connection, 'x');
    server.signal('SIGSTOP');
    const code = await failure(transact(connection, { success: [put('late', '1')] }));
    server.signal('SIGCONT');
    expect(code).to.equal('unknown');
  });

  it('EtcdConnection streams changes of keys', async () => {
    const stream = await connect().stream<WatchResponse>('Watch', 'Watch');
    stream.on('error', () => undefined);
    stream.write({ create_request: below('w/') });
    await once(stream, 'data');
    const next = once(stream, 'data');
    await transact(connect(), { success: [put('w/a', '1')] });
    const [{ events }] = (await next) as [WatchResponse];
    stream.cancel();
    expect(events.map(({ kv }) => [String(kv.key), String(kv.value)])).to.deep.equal([['w/a', '1']]);
  });

  it('EtcdLease is exclusive while held @long', async () => {
    const [one, other] = [connect(), connect()];
    const over: string[] = [];
    const take = (connection: EtcdConnection, value: string): Promise<EtcdLease | null> =>
      EtcdLease.take(connection, { name: 'l', key: 'l/a', value, seconds: 2 }, ({ name }) => over.push(name));
    const lease = await take(one, 'mine');
    expect(await take(other, 'yours')).to.equal(null);
    // The wait exceeds the lease duration without renewal.
    await sleep(3500);
    expect([lease?.lost.aborted, await read(one, 'l/')]).to.deep.equal([false, { 'l/a': 'mine' }]);
    await lease?.release();
    expect([over, await read(one, 'l/')]).to.deep.equal([['l'], {}]);
    const next = await take(other, 'yours');
    expect(await read(one, 'l/')).to.deep.equal({ 'l/a': 'yours' });
    // The owner must detect that its lease was revoked.
    await other.call('Lease', 'LeaseRevoke', { ID: next?.id });
    if (next !== null && !next.lost.aborted) await once(next.lost, 'abort');
    expect(over).to.deep.equal(['l', 'l']);
  });

  for (const [title, host, names] of [
    ['a host name', 'localhost', ['localhost']],
    ['an IP address', '127.0.0.1', ['127.0.0.1']],
  ] as const)
    it(`EtcdConnection connects over TLS to ${title}, and rejects untrusted certificates and certificates for other names`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sluice-etcd-'));
      const { cert, key } = await throwAwayCertificate(names);
      const [ca, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
      await writeFile(ca, cert);
      await writeFile(keyFile, key);
      const secure = await EtcdServer.start({ cert: ca, key: keyFile });
      servers.push(secure);
      const endpoints = [`${host}:${secure.port}`];
      expect(await read(connect({ endpoints, tls: await readTlsFiles({ ca }) }), 'x')).to.deep.equal({});
      const other = [`${host === 'localhost' ? '127.0.0.1' : 'localhost'}:${secure.port}`];
      const mismatch = connect({ endpoints: other, tls: await readTlsFiles({ ca }) });
      expect(await failure(read(mismatch, 'x'))).to.match(/^refused: etcd: /);
      const untrusted = connect({ endpoints, tls: await readTlsFiles({}) });
      expect(await failure(read(untrusted, 'x'))).to.match(/^refused: etcd: /);
      await rm(folder, { recursive: true });
    });

  it('EtcdConnection authenticates, and authenticates again after a node has restarted', async function () {
    const guarded = await EtcdServer.start();
    servers.push(guarded);
    const control = (...words: string[]): number | null =>
      spawnSync('etcdctl', [`--endpoints=${placeOf(guarded)}`, ...words], {
        env: { ...process.env, ETCDCTL_API: '3' },
      }).status;
    if (control('user', 'add', 'root:secret') !== 0) return this.skip();
    control('user', 'grant-role', 'root', 'root');
    control('auth', 'enable');
    const endpoints = [placeOf(guarded)];
    const known = connect({ endpoints, username: 'root', password: 'secret' });
    expect(await read(known, 'x')).to.deep.equal({});
    expect(await failure(read(connect({ endpoints }), 'x'))).to.match(/^refused: etcd: .*user name is empty/);
    const wrong = connect({ endpoints, username: 'root', password: 'wrong' });
    for (let i = 0; i < 2; i++)
      expect(await failure(read(wrong, 'x'))).to.match(/^refused: etcd: .*authentication failed/);
    await guarded.kill();
    await guarded.run();
    while (/No connection|leader/.test(await failure(read(known, 'x')))) await sleep(50);
    expect(await read(known, 'x')).to.deep.equal({});
  });
});
