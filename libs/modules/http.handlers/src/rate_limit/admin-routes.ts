/** Admin API routes for rate limits, below `/rate_limits`. They change the state of zones, but not the configuration. */
import { isObject, own, SluiceError, type Json } from '@sluice/base';
import type { AdminRoutes } from '@sluice/registry';
import type { KeyState } from './sliding-windows.ts';
import type { ZoneTable } from './zone-table.ts';
import type { Zone } from './zone.ts';

const defaultKeys = 100;
const maxKeys = 10_000;

/** Registers the routes. `zones` returns `undefined` until a configuration contains a rate limit. */
export function addRateLimitRoutes({ router, raw, describe }: AdminRoutes, zones: () => ZoneTable | undefined): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  const zoneOf = (name: string): Zone => {
    const zone = zones()?.get(name);
    if (zone === undefined)
      throw new SluiceError(
        'ERR_ADMIN_PATH',
        `no rate limit zone is named ${JSON.stringify(name)}; GET /rate_limits lists the zones`,
        { status: 404 },
      );
    return zone;
  };
  router.get('/rate_limits', (_request, response) => {
    response.json([...(zones() ?? [])].map(zoneJson));
  });
  router.get('/rate_limits/:zone', async ({ params, query }, response) => {
    const zone = zoneOf(params.zone);
    const keys = await zone.keys(firstOf(query['search']) ?? '', limitOf(firstOf(query['limit'])));
    response.json({ ...zoneJson(zone), keys: keys.map((state) => keyJson(zone, state)) });
  });
  router.delete('/rate_limits/:zone/keys/:key', ({ params }, response) => {
    const known = zoneOf(params.zone).reset(params.key);
    response.json({ key: params.key, known });
  });
  router.put('/rate_limits/:zone/keys/:key', raw, ({ params, body }, response) => {
    const zone = zoneOf(params.zone);
    const limit = maxEventsOf(body);
    zone.setLimit(params.key, limit);
    response.json({ key: params.key, max_events: limit === 0 ? zone.settings.maxEvents : limit });
  });
}

function zoneJson(zone: Zone): object {
  const { name, window, maxEvents } = zone.settings;
  const { keys, allowed, rejected, uncounted, memory } = zone.totals;
  return {
    name,
    window: window / 1000,
    max_events: maxEvents,
    key_count: keys,
    allowed,
    rejected,
    uncounted,
    memory_used: memory.used,
    memory_total: memory.total,
  };
}

function keyJson(zone: Zone, { key, events, rejected, limit, oldestExpiresIn }: KeyState): object {
  return {
    key,
    events,
    rejected,
    max_events: limit === 0 ? zone.settings.maxEvents : limit,
    oldest_expires_in: oldestExpiresIn / 1000,
  };
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return defaultKeys;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxKeys)
    throw new SluiceError('ERR_VALUE', `limit must be an integer from 1 to ${maxKeys}, not ${JSON.stringify(text)}`, {
      status: 400,
    });
  return limit;
}

function maxEventsOf(body: Buffer | undefined): number {
  const value = parsed(body);
  const limit = isObject(value) ? own(value, 'max_events') : undefined;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 0 || limit >= 2 ** 31)
    throw new SluiceError(
      'ERR_VALUE',
      'the body must be {"max_events": N} with an integer from 0 to 2147483647; 0 restores the limit of the zone',
      { status: 400 },
    );
  return limit;
}

function parsed(body: Buffer | undefined): Json {
  try {
    return JSON.parse(body?.toString('utf8') ?? '') as Json;
  } catch {
    return null;
  }
}
