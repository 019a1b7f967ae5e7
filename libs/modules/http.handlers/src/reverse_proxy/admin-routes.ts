/** Admin API routes for upstreams, below `/reverse_proxy/upstreams`. */
import { SluiceError, type Json } from '@sluice/base';
import type { AdminRequest, AdminRoutes } from '@sluice/registry';
import type { ProxyModule } from './module.ts';
import { placesOf } from './places.ts';
import { detailedStatus, mergedStatuses, type DetailedStatus, type UpstreamStatus } from './upstream-status.ts';
import { summaryOf, SummaryVersions } from './upstream-summary.ts';
import type { UpstreamTable } from './upstream-table.ts';

/** Maximum and default number of proxies that a response lists per upstream. */
const maxProxies = 1000;
const defaultProxies = 100;

/**
 * Registers the routes. `GET /reverse_proxy/upstreams` is compatible with Caddy. `?detail` adds health and proxies, and `/summary` is
 * intended for polling. A `POST` request to `/<address>/drain` stops new requests to an upstream, and a `DELETE` request resumes them.
 * Neither changes the configuration.
 */
export function addUpstreamRoutes({ router, server, describe }: AdminRoutes, load: () => Promise<ProxyModule>): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  const versions = new SummaryVersions();
  const read = async (document: Json, wanted: string | null = null): Promise<DetailedStatus[]> => {
    const { table, found } = await load();
    const statuses = [...configured(table, document, wanted), ...(await found.gather())];
    return mergedStatuses(wanted === null ? statuses : statuses.filter(({ address }) => address === wanted));
  };
  router.get('/reverse_proxy/upstreams', async (request, response) => {
    // Unless the request contains `?detail`, the response does not contain configuration paths.
    if (request.query['detail'] === undefined) {
      response.json((await read(null)).map(plain));
      return;
    }
    const address = textOf(request, 'address');
    const statuses = await read(server.effective, address);
    response.json(address === null ? statuses : statuses.map((status) => pageOf(status, request)));
  });
  router.get('/reverse_proxy/upstreams/summary', async (request, response) => {
    const since = textOf(request, 'since');
    const summaries = (await read(null)).map(summaryOf);
    response.json(versions.changes(summaries, since));
  });
  const drain = async (address: string, draining: boolean): Promise<object> => {
    const [status] = await read(server.effective, address);
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

function pageOf(status: DetailedStatus, request: AdminRequest): object {
  const offset = integerOf(request, 'offset', { fallback: 0, min: 0, max: Number.MAX_SAFE_INTEGER });
  const limit = integerOf(request, 'limit', { fallback: defaultProxies, min: 1, max: maxProxies });
  return { ...status, used_by: status.proxies.length, proxies: status.proxies.slice(offset, offset + limit) };
}

function textOf({ query }: AdminRequest, name: string): string | null {
  const [text = null] = [query[name] ?? []].flat();
  return text;
}

function integerOf(
  request: AdminRequest,
  name: string,
  { fallback, min, max }: { readonly fallback: number; readonly min: number; readonly max: number },
): number {
  const text = textOf(request, name);
  if (text === null) return fallback;
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < min || value > max) {
    const message = `${name} must be an integer from ${min} to ${max}, not ${JSON.stringify(text)}`;
    throw new SluiceError('ERR_ADMIN_REQUEST', message, { status: 400 });
  }
  return value;
}

function configured(table: UpstreamTable, document: Json, wanted: string | null): DetailedStatus[] {
  const hosts = [...table.hosts()].filter(({ address }) => wanted === null || address === wanted);
  const used = hosts.map((host) => ({ host, upstreams: table.upstreamsOf(host.address) }));
  const nodes = document === null ? [] : used.flatMap(({ upstreams }) => upstreams.map(({ user }) => user.node));
  const places = placesOf(document, new Set(nodes));
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
    `no proxy uses the address ${JSON.stringify(address)}; GET /reverse_proxy/upstreams lists all upstreams`,
    { status: 404 },
  );
}
