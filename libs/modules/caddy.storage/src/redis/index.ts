/** The module `caddy.storage.redis`. Its options and key layout are those of the Caddy module with the same name (by pberkel). */
import { readFile } from 'node:fs/promises';
import { storages, storageTimesToken } from '@sluice/contracts';
import { boolean, defineModule, options, string, strings, weakString } from '@sluice/registry';

const config = options({
  address: strings(
    'Redis servers, as `host:port`. The server that accepts writes is used. If `master_name` is set, these are the addresses of Sentinels. Default: `host` and `port`.',
  ),
  host: strings('Host names or IP addresses of the Redis servers. Default: `127.0.0.1`.'),
  port: strings('Ports of the Redis servers: one per host, or one for all hosts. Default: `6379`.'),
  db: weakString('Database number. Default: 0.'),
  username: string('Redis user name. Default: `default`.'),
  password: string('Password of the Redis user. Default: none.'),
  master_name: string(
    'Name of the primary in Sentinel. If set, the configured addresses are those of Sentinels instead of Redis servers.',
  ),
  key_prefix: string('Prefix of all keys, followed by a slash. Default: `caddy`.'),
  tls_enabled: boolean('Connect with TLS. Default: false.'),
  tls_insecure: boolean('Disable certificate verification. Default: false.'),
  tls_server_certs_pem: string("Trusted certificate authorities, in PEM format. Default: the system's authorities."),
  tls_server_certs_path: string('PEM file containing trusted certificate authorities. Default: none.'),
});

/** The Redis client is loaded, and connects, on first use. */
export const redisModule = defineModule(storages, {
  name: 'redis',
  help: 'Stores data in Redis or Valkey, with fenced locks: a writer that lost its lock is rejected.',
  config,
  async provision(chosen, context) {
    const database = Number(chosen.db ?? 0);
    if (!Number.isInteger(database) || database < 0) throw context.error('must be a database number, such as 0', 'db');
    const { RedisStorage } = await import('./redis-storage.ts');
    const pem = chosen.tls_server_certs_pem || null;
    const path = chosen.tls_server_certs_path || null;
    const ca = pem === null ? (path === null ? null : await readFile(path)) : Buffer.from(pem);
    const address = {
      endpoints: endpointsOf(chosen.address ?? [], chosen.host ?? [], chosen.port ?? []),
      sentinelMaster: chosen.master_name ?? '',
      username: chosen.username ?? '',
      password: chosen.password ?? '',
      database,
      tls:
        chosen.tls_enabled === true
          ? { ca, certificate: null, key: null, insecure: chosen.tls_insecure === true }
          : null,
    };
    const storage = new RedisStorage(address, chosen.key_prefix || 'caddy', context.find(storageTimesToken));
    context.onDispose(() => storage.close());
    return storage;
  },
});

function endpointsOf(addresses: readonly string[], hosts: readonly string[], ports: readonly string[]): string[] {
  if (addresses.length > 0) return [...addresses];
  return (hosts.length > 0 ? hosts : ['127.0.0.1']).map((host, i) => `${host}:${ports[i] ?? ports[0] ?? '6379'}`);
}
