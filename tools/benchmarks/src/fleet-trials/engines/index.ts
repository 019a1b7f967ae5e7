/** The engines that trials run on. */
import type { EngineOptions, StoreEngine } from './engine.ts';
import { startEtcd } from './etcd.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

export type { StoreEngine } from './engine.ts';

/** How each is started, by its name; `null` where this machine has none. */
export const engines: Readonly<Record<string, (options: EngineOptions) => Promise<StoreEngine | null>>> = {
  etcd: startEtcd,
  postgres: startPostgres,
  redis: startRedis,
};
