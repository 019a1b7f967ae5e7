/** Tokens of the admin API are a part of the document: those of a fleet are common to its members. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { EtcdServer, hasEtcd } from '@sluice/testing/etcd';
import { until } from '../support/sandbox.ts';
import { documentOf, FleetServer, valuePath } from './fleet-of-three.ts';

const title = 'admin tokens of a fleet';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe(hasEtcd ? title : `${title} (skipped: this machine has no etcd)`, function () {
  this.timeout(90_000);
  let etcd: EtcdServer;
  const servers: FleetServer[] = [];
  before(async function () {
    if (!hasEtcd) this.skip();
    etcd = await EtcdServer.start();
    for (const name of ['a', 'b']) servers.push(await FleetServer.make(name, `etcd://127.0.0.1:${etcd.port}/tokens`));
    await servers[0]?.run(documentOf(servers, 1));
    await servers[1]?.run();
  });
  after(async () => {
    for (const server of servers) await server.remove();
    await etcd?.stop();
  });

  it('are set, and withdrawn, through any member for all', async () => {
    const [a, b] = servers as [FleetServer, FleetServer];
    const statuses = (headers = {}): Promise<number[]> =>
      Promise.all(servers.map(async (server) => (await server.ask('GET', valuePath, undefined, headers)).status));
    const all = async (wanted: number, headers = {}): Promise<void> =>
      until(async () => (await statuses(headers)).every((status) => status === wanted), `all respond with ${wanted}`);
    await all(200);
    const hash = createHash('sha256').update('first').digest('hex');
    const tokens = [{ name: 'operator', hash: `sha256:${hash}` }];
    expect((await a.ask('PUT', 'config/admin/tokens', tokens)).status).to.equal(200);
    await all(401);
    await all(401, bearer('second'));
    await all(200, bearer('first'));
    expect((await b.ask('DELETE', 'config/admin/tokens', undefined, bearer('first'))).status).to.equal(200);
    await all(200);
  });
});
