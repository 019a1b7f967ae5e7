/** `caddy.storage.redis`: options and layout of the module of this name that there is for the reference (pberkel's). */
import { readFile } from 'node:fs/promises';
import { storages, storageTimesToken } from '@sluice/contracts';
import { boolean, defineModule, options, string, strings, weakString } from '@sluice/registry';

const config = options({
  address: strings(
    'Servers, as `host:port`, of which the one that takes writes is used; Sentinels with `master_name`. Default: host and port.',
  ),
  host: strings('Their hosts. Default: `127.0.0.1`.'),
  port: strings('The ports of these, one each, or one for all. Default: `6379`.'),
  db: weakString('Number of the database. Default: 0.'),
  username: string('Who the server is. Default: the user `default`.'),
  password: string('The password of the user. Default: none.'),
  master_name: string('What Sentinels call the primary, where the addresses are Sentinels. Default: they are servers.'),
  key_prefix: string('What all keys begin with, before a slash. Default: `caddy`.'),
  tls_enabled: boolean('Connections over TLS. Default: without.'),
  tls_insecure: boolean('Takes any certificate. Default: only one that is trusted.'),
  tls_server_certs_pem: string(
    'PEM of the authorities that servers may have their certificates from. Default: those of the system.',
  ),
  tls_server_certs_path: string('File of these. Default: none.'),
});

/** The module. The client is loaded when it is used, and connects then. */
export const redisModule = defineModule(storages, {
  name: 'redis',
  help: 'Keeps data in Redis or Valkey, with locks of which one that was lost cannot be written under.',
  config,
  async provision(chosen, context) {
    const database = Number(chosen.db ?? 0);
    if (!Number.isInteger(database) || database < 0) throw context.error('is not the number of a database', 'db');
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
