/** `GET /stats` of the admin API, and its stream. */
import { SluiceError } from '@sluice/base';
import { EventStreams } from '@sluice/telemetry';
import type { AdminRequest, AdminRoutes } from '@sluice/registry';
import { tallyStoreToken } from '@sluice/threads';
import type { StatsFilter } from './stats-json.ts';
import type { StatsReader } from './stats-reader.ts';

const defaultTop = 20;
const maxTop = 1000;

/** Adds the routes. What reads the stats is loaded when they are asked for. */
export function addStatsRoutes({ router, server, describe }: AdminRoutes): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  let reader: StatsReader | null = null;
  const streams = new EventStreams({
    clients: 64,
    waiting: 16,
    full: (most) => refusal(`${most} clients follow the stats already; close one`, 503),
  });
  const open = async (): Promise<StatsReader> => {
    const store = server.service(tallyStoreToken);
    if (store === undefined) throw refusal('this server counts no requests', 404);
    const { StatsReader } = await import('./stats-reader.ts');
    return (reader ??= new StatsReader(store, server));
  };
  router.get('/stats', async (request, response) => {
    const filter = filterOf(request);
    response.json((await open()).whole(filter));
  });
  router.get('/stats/stream', async (request, response) => {
    const filter = filterOf(request);
    const stats = await open();
    await streams.send(response, (tell) => stats.follow(filter, tell));
  });
}

function filterOf({ query }: AdminRequest): StatsFilter {
  const [top = String(defaultTop)] = [query['top'] ?? []].flat();
  const most = Number(top);
  if (!Number.isInteger(most) || most < 1 || most > maxTop)
    throw refusal(`top must be a whole number from 1 to ${maxTop}, not ${JSON.stringify(top)}`, 400);
  const [server = null] = [query['server'] ?? []].flat();
  const [under = ''] = [query['under'] ?? []].flat();
  return { top: most, server, under };
}

function refusal(message: string, status: number): SluiceError {
  return new SluiceError('ERR_STATS', message, { status });
}
