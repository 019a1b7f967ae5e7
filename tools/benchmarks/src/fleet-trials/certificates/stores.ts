/** Storages shared by the members of the certificate trial. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@sluice/base';
import { hasPostgres, hasRedis, hasS3, PostgresServer, RedisServer, S3Server } from '@sluice/testing';
import { EtcdServer, hasEtcd } from '@sluice/testing/etcd';

export interface CertificateStore {
  /** The configuration's `storage` section for this storage. */
  readonly config: JsonObject;
  /** Minimum lifetime of the storage's locks, in milliseconds. */
  readonly span: number;
  /**
   * Number of points at which a lock owner can be suspended. There is one point before each file, or only one if files are written
   * atomically.
   */
  readonly writes: number;
  stop(): Promise<void>;
}

interface Running {
  readonly port: number;
  stop(): Promise<void>;
}

async function on(
  isThere: boolean,
  span: number,
  start: () => Promise<Running>,
  configOf: (port: number) => JsonObject,
): Promise<CertificateStore | null> {
  if (!isThere) return null;
  const server = await start();
  return { config: configOf(server.port), span, writes: 2, stop: () => server.stop() };
}

/** Functions that start storages, keyed by name. A function returns `null` if the storage is not installed. */
export const certificateStores: Readonly<Record<string, () => Promise<CertificateStore | null>>> = {
  file_system: async () => {
    const root = await mkdtemp(join(tmpdir(), 'sluice-certificates-'));
    const stop = (): Promise<void> => rm(root, { recursive: true, force: true });
    return { config: { module: 'file_system', root }, span: 1500, writes: 6, stop };
  },
  redis: () =>
    on(
      hasRedis,
      1500,
      () => RedisServer.start(),
      (port) => ({ module: 'redis', address: [`127.0.0.1:${port}`] }),
    ),
  postgres: () =>
    on(
      hasPostgres,
      1500,
      () => PostgresServer.start(),
      (port) => ({ module: 'postgres', host: '127.0.0.1', port }),
    ),
  // etcd leases last at least two seconds.
  etcd: () =>
    on(
      hasEtcd,
      2000,
      () => EtcdServer.start(),
      (port) => ({ module: 'etcd', endpoints: [`http://127.0.0.1:${port}`] }),
    ),
  s3: () =>
    on(
      hasS3,
      1500,
      () => S3Server.start(),
      (port) => ({
        module: 's3',
        endpoint: `http://127.0.0.1:${port}`,
        bucket: 'certificates',
        access_id: 'id',
        secret_key: 'secret',
      }),
    ),
};
