/** Admin API endpoints `GET /stats/history` and `GET /stats/listeners`. */
import { parseDuration, SluiceError } from '@sluice/base';
import type { AdminRequest, AdminRoutes } from '@sluice/registry';
import type { Sampling } from './sampling.ts';

/** Default of the `range` query parameter. */
const defaultRange = '1h';

export function addHistoryRoutes({ router, server, describe }: AdminRoutes, sampling: Sampling): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  router.get('/stats/history', async (request, response) => {
    const { historyJson, maxRange, stepFor } = await import('./history-json.ts');
    const range = rangeOf(request, maxRange);
    const step = stepOf(request) ?? stepFor(range);
    const history = await sampling.history();
    if (history === null)
      throw refusal('this server does not keep a statistics history because the dashboard is disabled (admin.ui)', 404);
    const to = Date.now();
    const from = Math.max(to - range * 1000, sinceOf(request));
    const upstream = textOf(request, 'upstream');
    const json = historyJson(history, { upstream, step, from, to });
    if (json === null) throw refusal(`no history exists for the upstream ${JSON.stringify(upstream)}`, 404);
    response.json(json);
  });
  router.get('/stats/listeners', async (_request, response) => {
    response.json(await (await import('./listeners.ts')).readListeners(server));
  });
}

function textOf({ query }: AdminRequest, name: string): string | null {
  const [text = null] = [query[name] ?? []].flat();
  return text;
}

function rangeOf(request: AdminRequest, max: number): number {
  const text = textOf(request, 'range') ?? defaultRange;
  let seconds = Number.NaN;
  try {
    seconds = parseDuration(text) / 1000;
  } catch {
    // Ignore the error, because the check below rejects the invalid value.
  }
  if (!(seconds >= 1 && seconds <= max))
    throw refusal(`range must be a duration of at most ${max / 3600}h, such as 15m, not ${JSON.stringify(text)}`, 400);
  return seconds;
}

function stepOf(request: AdminRequest): 10 | 60 | null {
  const text = textOf(request, 'step');
  if (text === null) return null;
  if (text === '10s') return 10;
  if (text === '60s' || text === '1m') return 60;
  throw refusal(`step must be 10s or 60s, not ${JSON.stringify(text)}`, 400);
}

function sinceOf(request: AdminRequest): number {
  const text = textOf(request, 'since');
  if (text === null) return 0;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw refusal(`since must be a date and time, not ${JSON.stringify(text)}`, 400);
  return time;
}

function refusal(message: string, status: number): SluiceError {
  return new SluiceError('ERR_STATS', message, { status });
}
