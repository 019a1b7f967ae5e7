/** The engines of stores on which servers of tests make fleets, as their packages start them. */
import { hasPostgres, hasRedis, PostgresServer, RedisServer } from '@sluice/testing';
import { EtcdServer, hasEtcd } from '@sluice/testing/etcd';

/** A store that runs, on loopback. */
export interface StoreServer {
  readonly port: number;
  stop(): Promise<unknown>;
}

/** One engine. */
export interface StoreEngine<S extends StoreServer = StoreServer> {
  readonly name: string;
  /** Whether this machine has it; without it tests are skipped. */
  readonly has: boolean;
  start(): Promise<S>;
  /** A cluster in a store, as `--fleet` takes it. */
  address(store: StoreServer, cluster: string): string;
}

export const etcd: StoreEngine<EtcdServer> = {
  name: 'etcd',
  has: hasEtcd,
  start: () => EtcdServer.start(),
  address: ({ port }, cluster) => `etcd://127.0.0.1:${port}/${cluster}`,
};

export const redis: StoreEngine<RedisServer> = {
  name: 'Redis',
  has: hasRedis,
  start: () => RedisServer.start(),
  address: ({ port }, cluster) => `redis://127.0.0.1:${port}/${cluster}`,
};

export const postgres: StoreEngine<PostgresServer> = {
  name: 'PostgreSQL',
  has: hasPostgres,
  start: () => PostgresServer.start(),
  address: ({ port }, cluster) => `postgres://postgres@127.0.0.1:${port}/${cluster}?database=postgres`,
};
