/** The engines of stores on which servers of tests make fleets, as their packages start them. */
import { hasPostgres, hasRedis, PostgresServer, RedisServer } from '@sluice/testing';
import { EtcdServer, hasEtcd } from '@sluice/testing/etcd';

/** A store that runs. */
export interface StoreServer {
  /** Of one fleet, as `--fleet` takes it. */
  address(cluster: string): string;
  stop(): Promise<unknown>;
}

/** One engine. */
export interface StoreEngine {
  readonly name: string;
  /** Whether this machine has it; without it tests are skipped. */
  readonly has: boolean;
  start(): Promise<StoreServer>;
}

/** All of them. */
export const storeEngines: readonly StoreEngine[] = [
  { name: 'etcd', has: hasEtcd, start: () => started(EtcdServer.start(), (place) => `etcd://${place}`) },
  {
    name: 'PostgreSQL',
    has: hasPostgres,
    start: () => started(PostgresServer.start(), (place) => `postgres://postgres@${place}`, '?database=postgres'),
  },
  { name: 'Redis', has: hasRedis, start: () => started(RedisServer.start(), (place) => `redis://${place}`) },
];

/** A server on loopback, with how its address is written. */
async function started(
  starting: Promise<{ readonly port: number; stop(): Promise<unknown> }>,
  before: (place: string) => string,
  after = '',
): Promise<StoreServer> {
  const server = await starting;
  const place = before(`127.0.0.1:${server.port}`);
  return { address: (cluster) => `${place}/${cluster}${after}`, stop: () => server.stop() };
}
