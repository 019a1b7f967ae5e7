/** Tests admin API tokens, which are part of the document and therefore shared by all fleet members. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { until } from '../support/sandbox.ts';
import { valuePath, type FleetServer } from './fleet-of-three.ts';
import { etcd } from './store-servers.ts';
import { describeFleet } from './suite.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describeFleet(
  'admin tokens of a fleet',
  { engine: etcd, names: ['a', 'b'], routes: 1, timeout: 90_000 },
  ({ servers }) => {
    it('all fleet members apply token changes made through one member', async () => {
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
  },
);
