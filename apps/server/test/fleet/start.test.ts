import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { EtcdServer, hasEtcd } from '@sluice/testing/etcd';
import { until } from '../support/sandbox.ts';
import { documentOf, FleetServer, valuePath } from './fleet-of-three.ts';

const title = 'a member of a fleet that starts';

describe(hasEtcd ? title : `${title} (skipped: this machine has no etcd)`, function () {
  this.timeout(120_000);
  let etcd: EtcdServer;
  const servers: FleetServer[] = [];
  before(async function () {
    if (!hasEtcd) this.skip();
    etcd = await EtcdServer.start();
    const address = `etcd://127.0.0.1:${etcd.port}/test`;
    for (const name of ['a', 'b']) servers.push(await FleetServer.make(name, address));
    await servers[0]?.run(documentOf(servers, 1));
    await servers[1]?.run();
  });
  after(async () => {
    for (const each of servers) await each.remove();
    await etcd?.stop();
  });

  it('serves the copy that it has where it cannot load what the fleet has, says so, and takes it when it can', async () => {
    const [a, b] = servers as [FleetServer, FleetServer];
    expect((await a.ask('PATCH', `${valuePath}?wait=all`, 'kept')).status).to.equal(200);
    const taken: Server = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    await b.kill();
    // Meanwhile the fleet has the member listen where another program does.
    const overlays = 'config/admin/fleet/overlays/1/merge/apps/http/servers/s/listen/0';
    expect((await a.ask('PATCH', overlays, `127.0.0.1:${port}`)).status).to.equal(200);
    expect((await a.ask('PATCH', valuePath, 'later')).status).to.equal(200);
    await b.run();
    expect(await b.serve()).to.equal('kept');
    await until(async () => ((await b.get('fleet')) as { rejected?: object }).rejected !== undefined, 'it says so');
    const { rejected } = (await b.get('fleet')) as { rejected: { rev: number; message: string } };
    expect(rejected.rev).to.be.greaterThan(1);
    expect(rejected.message).to.include(String(port));
    expect(b.log()).to.include('the copy of this machine is served');
    taken.close();
    await once(taken, 'close');
    expect((await b.ask('POST', 'fleet/retry')).status).to.equal(200);
    expect(await b.get(valuePath)).to.equal('later');
  });
});
