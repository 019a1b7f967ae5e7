/** Admin API routes for caches, below `/cache`. They change stored responses, but not the configuration. */
import { SluiceError } from '@sluice/base';
import type { AdminRoutes } from '@sluice/registry';
import type { CacheStore, StoredObject } from './cache-store.ts';

const defaultLimit = 100;
const maxLimit = 10_000;

type Query = Readonly<Record<string, string | string[] | undefined>>;

export function addCacheRoutes({ router, describe }: AdminRoutes, stores: () => Iterable<CacheStore>): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  router.get('/cache', (_request, response) => {
    response.json([...stores()].map(storeJson));
  });
  router.get('/cache/objects', async ({ query }, response) => {
    const matches = filterOf(query);
    const limit = limitOf(firstOf(query['limit']));
    const found: object[] = [];
    const now = Date.now();
    for (const store of stores())
      await store.visit((object) => {
        if (matches === null || matches(object)) found.push(objectJson(object, now));
        return found.length < limit;
      });
    response.json(found.slice(0, limit));
  });
  router.delete('/cache/objects', async ({ query }, response) => {
    response.json({ purged: await purge(query, [...stores()]) });
  });
}

async function purge(query: Query, stores: readonly CacheStore[]): Promise<number> {
  const matches = filterOf(query);
  const isAll = query['all'] !== undefined;
  if (isAll === (matches !== null))
    throw new SluiceError('ERR_VALUE', 'requires one of the query parameters key, prefix, tag, or all', {
      status: 400,
    });
  const key = firstOf(query['key']);
  let purged = 0;
  for (const store of stores) {
    if (key !== undefined && query['prefix'] === undefined && query['tag'] === undefined)
      purged += store.remove(key) > 0 ? 1 : 0;
    else {
      purged += await store.removeWhere(matches ?? (() => true));
      if (isAll) store.disk?.flush();
    }
  }
  return purged;
}

/** Returns the filter that the query parameters specify, or `null` if they specify none. */
function filterOf(query: Query): ((object: StoredObject) => boolean) | null {
  const key = firstOf(query['key']);
  const prefix = firstOf(query['prefix']);
  const tag = firstOf(query['tag']);
  if (key === undefined && prefix === undefined && tag === undefined) return null;
  return (object) =>
    (key === undefined || object.key === key) &&
    (prefix === undefined || object.key.startsWith(prefix)) &&
    (tag === undefined || object.head.tags.includes(tag));
}

function storeJson({ memory, disk }: CacheStore): object {
  const { objects, evicted, used, total } = memory.usage;
  return {
    objects,
    evicted,
    memory_used: used,
    memory_total: total,
    ...(disk === null ? {} : { disk: { path: disk.directory, objects: disk.index.entries, size: disk.index.size } }),
  };
}

function objectJson({ key, head, bodyLength, store }: StoredObject, now: number): object {
  const age = head.freshness.initialAge + Math.max(0, now - head.time) / 1000;
  return {
    key,
    status: head.status,
    size: bodyLength,
    age: Math.floor(age),
    ttl: Math.floor(head.freshness.lifetime - age),
    tags: head.tags,
    vary: head.varyNames,
    store,
  };
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.[0];
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return defaultLimit;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    throw new SluiceError('ERR_VALUE', `limit must be an integer from 1 to ${maxLimit}, not ${JSON.stringify(text)}`, {
      status: 400,
    });
  return limit;
}
