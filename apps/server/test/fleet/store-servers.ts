/** Store servers for fleet tests. The packages of the stores start them. */
import { hasPostgres, hasRedis, PostgresServer, RedisServer } from '@sluice/testing';
import { EtcdServer, hasEtcd } from '@sluice/testing/etcd';

/** A running store on a loopback address. */
export interface StoreServer {
  readonly port: number;
  stop(): Promise<unknown>;
}

export interface StoreEngine<S extends StoreServer = StoreServer> {
  readonly name: string;
  /** True if the store is installed. Otherwise, its tests are skipped. */
  readonly has: boolean;
  start(): Promise<S>;
  /** Returns the `--fleet` address for a cluster in the store. */
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
