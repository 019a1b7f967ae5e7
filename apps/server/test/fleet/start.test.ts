import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { until } from '../support/sandbox.ts';
import { valuePath, type FleetServer } from './fleet-of-three.ts';
import { etcd } from './store-servers.ts';
import { describeFleet } from './suite.ts';

const options = { engine: etcd, names: ['a', 'b'], routes: 1, timeout: 120_000 };

describeFleet('start of a fleet member', options, ({ servers }) => {
  it('a fleet member that cannot load the document of the fleet serves its local copy, reports the problem, and recovers', async () => {
    const [a, b] = servers as [FleetServer, FleetServer];
    expect((await a.ask('PATCH', `${valuePath}?wait=all`, 'kept')).status).to.equal(200);
    const taken: Server = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    await b.kill();
    // While the member is stopped, the fleet's overlay changes its address to a port that another program uses.
    const overlays = 'config/admin/fleet/overlays/1/merge/apps/http/servers/s/listen/0';
    expect((await a.ask('PATCH', overlays, `127.0.0.1:${port}`)).status).to.equal(200);
    expect((await a.ask('PATCH', valuePath, 'later')).status).to.equal(200);
    await b.run();
    expect(await b.serve()).to.equal('kept');
    await until(async () => ((await b.get('fleet')) as { rejected?: object }).rejected !== undefined, 'it says so');
    const { rejected } = (await b.get('fleet')) as { rejected: { rev: number; message: string } };
    expect(rejected.rev).to.be.greaterThan(1);
    expect(rejected.message).to.include(String(port));
    expect(b.log()).to.include('serving the local copy');
    taken.close();
    await once(taken, 'close');
    expect((await b.ask('POST', 'fleet/retry')).status).to.equal(200);
    expect(await b.get(valuePath)).to.equal('later');
  });
});
