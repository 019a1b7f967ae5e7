/** Opens a storage on a test server. Its locks have short durations. */
import type { Storage } from '@sluice/contracts';

/** `kind` is `redis`, `postgres`, `etcd` or `s3`. */
export async function openFrom(kind: string, port: number, span: number): Promise<Storage & { close(): unknown }> {
  const times = { span, poll: 50 };
  const place = { endpoints: [`127.0.0.1:${port}`], password: '', tls: null };
  if (kind === 'redis') {
    const { RedisStorage } = await import('../src/redis/redis-storage.ts');
    return new RedisStorage({ ...place, username: '', sentinelMaster: '', database: 0 }, 'caddy', times);
  }
  if (kind === 'etcd') {
    const { EtcdStorage } = await import('../src/etcd/etcd-storage.ts');
    return new EtcdStorage({ ...place, username: '' }, '/caddy', times);
  }
  if (kind === 's3') {
    const { S3Storage } = await import('../src/s3/s3-storage.ts');
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: '' };
    const endpoint = new URL(`http://127.0.0.1:${port}`);
    const bucket = { endpoint, bucket: 'certificates', region: 'us-east-1', pathStyle: true, insecure: false };
    return new S3Storage({ ...bucket, credentials }, 'ssl', times);
  }
  const { PostgresStorage } = await import('../src/postgres/postgres-storage.ts');
  return new PostgresStorage({ ...place, username: 'postgres', database: 'postgres' }, times);
}
