/** Admin API endpoint `GET /stats` and its event stream. */
import { SluiceError } from '@sluice/base';
import { EventStreams } from '@sluice/telemetry';
import type { AdminRequest, AdminRoutes } from '@sluice/registry';
import { tallyStoreToken } from '@sluice/threads';
import { statsLists, type StatsFilter, type StatsList } from './stats-json.ts';
import type { StatsReader } from './stats-reader.ts';

const defaultTop = 20;
const maxTop = 1000;
/** Maximum interval between events of the stream, in seconds. */
const maxSeconds = 60;

/** Adds the statistics endpoints. The code that reads statistics is loaded when the first request arrives. */
export function addStatsRoutes({ router, server, describe }: AdminRoutes): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  let reader: StatsReader | null = null;
  const streams = new EventStreams({
    clients: 64,
    waiting: 16,
    full: (limit) => refusal(`statistics streams are limited to ${limit} clients; close one`, 503),
  });
  const open = async (): Promise<StatsReader> => {
    const store = server.service(tallyStoreToken);
    if (store === undefined) throw refusal('this server does not count requests', 404);
    const { StatsReader } = await import('./stats-reader.ts');
    return (reader ??= new StatsReader(store, server));
  };
  router.get('/stats', async (request, response) => {
    const filter = filterOf(request);
    response.json((await open()).whole(filter));
  });
  router.get('/stats/stream', async (request, response) => {
    const filter = filterOf(request);
    const seconds = integerOf(request, 'every', 1, maxSeconds);
    const stats = await open();
    await streams.send(response, (send) => stats.follow(filter, seconds, send));
  });
}

function filterOf(request: AdminRequest): StatsFilter {
  const top = integerOf(request, 'top', defaultTop, maxTop);
  return { top, lists: listsOf(request), server: textOf(request, 'server'), under: textOf(request, 'under') ?? '' };
}

function textOf({ query }: AdminRequest, name: string): string | null {
  const [text = null] = [query[name] ?? []].flat();
  return text;
}

function integerOf(request: AdminRequest, name: string, fallback: number, max: number): number {
  const text = textOf(request, name);
  const value = text === null ? fallback : Number(text);
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw refusal(`${name} must be an integer from 1 to ${max}, not ${JSON.stringify(text)}`, 400);
  return value;
}

function listsOf(request: AdminRequest): readonly StatsList[] {
  const text = textOf(request, 'lists');
  if (text === null) return statsLists;
  const names: readonly string[] = text.split(',');
  const unknown = names.find((name) => !statsLists.some((list) => list === name));
  if (unknown !== undefined)
    throw refusal(`lists must contain only ${statsLists.join(',')}, not ${JSON.stringify(unknown)}`, 400);
  // Use a fixed order, so that clients that request the same lists share their formatted output.
  return statsLists.filter((list) => names.includes(list));
}

function refusal(message: string, status: number): SluiceError {
  return new SluiceError('ERR_STATS', message, { status });
}
