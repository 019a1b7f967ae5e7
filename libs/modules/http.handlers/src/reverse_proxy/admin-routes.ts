/** Routes of the admin API about upstreams: `/reverse_proxy/upstreams`. */
import { SluiceError, type Json } from '@sluice/base';
import type { AdminRoutes } from '@sluice/registry';
import type { ProxyModule } from './module.ts';
import { placesOf } from './places.ts';
import { detailedStatus, mergedStatuses, type DetailedStatus, type UpstreamStatus } from './upstream-status.ts';
import type { UpstreamTable } from './upstream-table.ts';

/**
 * Adds the routes. `GET /reverse_proxy/upstreams` is the reference's; `?detail` tells more. `POST` to an address and
 * `/drain` keeps new requests from it, `DELETE` lets them come again; the configuration does not change.
 */
export function addUpstreamRoutes({ router, server, describe }: AdminRoutes, load: () => Promise<ProxyModule>): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  const read = async (document: Json): Promise<DetailedStatus[]> => {
    const { table, found } = await load();
    return mergedStatuses([...configured(table, document), ...(await found.gather())]);
  };
  router.get('/reverse_proxy/upstreams', async ({ query }, response) => {
    // Who wants no detail need not wait for places to be found.
    response.json(query['detail'] === undefined ? (await read(null)).map(plain) : await read(server.effective));
  });
  const drain = async (address: string, draining: boolean): Promise<object> => {
    const status = (await read(server.effective)).find((each) => each.address === address);
    if (status === undefined) throw unknownAddress(address);
    (await load()).table.drain(address, draining);
    return { ...status, draining };
  };
  router.post('/reverse_proxy/upstreams/:address/drain', async ({ params }, response) => {
    response.json(await drain(params.address, true));
  });
  router.delete('/reverse_proxy/upstreams/:address/drain', async ({ params }, response) => {
    response.json(await drain(params.address, false));
  });
}

/** What the configuration names. */
function configured(table: UpstreamTable, document: Json): DetailedStatus[] {
  const used = [...table.hosts()].map((host) => ({ host, upstreams: table.upstreamsOf(host.address) }));
  const places = placesOf(document, new Set(used.flatMap(({ upstreams }) => upstreams.map(({ user }) => user.node))));
  return used.map(({ host, upstreams }) =>
    detailedStatus(host, upstreams, ({ user }) => places.get(user.node) ?? user.where),
  );
}

function plain({ address, num_requests, fails }: DetailedStatus): UpstreamStatus {
  return { address, num_requests, fails };
}

function unknownAddress(address: string): SluiceError {
  return new SluiceError(
    'ERR_ADMIN_PATH',
    `no proxy uses the address ${JSON.stringify(address)}; GET /reverse_proxy/upstreams lists those that are used`,
    { status: 404 },
  );
}
