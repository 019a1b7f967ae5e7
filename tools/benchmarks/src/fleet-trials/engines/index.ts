/** Fleet stores for trials. */
import type { EngineOptions, StoreEngine } from './engine.ts';
import { startEtcd } from './etcd.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

export type { StoreEngine } from './engine.ts';

/** Functions that start fleet stores, keyed by store name. A function returns `null` if the store is not installed. */
export const engines: Readonly<Record<string, (options: EngineOptions) => Promise<StoreEngine | null>>> = {
  etcd: startEtcd,
  postgres: startPostgres,
  redis: startRedis,
};
