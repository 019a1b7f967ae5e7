/** `sluice.fleet.stores.redis`: Redis 6 and later, Valkey. */
import { fleetStores, type FleetStore, type FleetStoreFactory } from '@sluice/fleet';
import { boolean, defineModule, integer, options, string, strings, structure } from '@sluice/registry';
import { readTlsFiles, storeTls } from '@sluice/store-clients';

const config = options({
  endpoints: strings(
    'Servers, as `host:port`, or the paths of sockets: a primary and its replicas; the one that takes writes is used. With `sentinel`, Sentinels. Default: `localhost:6379`.',
    { examples: [['10.0.0.1:6379', '10.0.0.2:6379']] },
  ),
  sentinel: string('What Sentinels call the primary, where the endpoints are Sentinels. Default: they are servers.'),
  username: string('Who the member is. Default: the user `default`.'),
  password: string('The password of the user. Default: none.'),
  database: integer('Number of the database. Default: 0.', { minimum: 0 }),
  tls: structure('Connections over TLS. Default: without.', storeTls),
  accept_loss: boolean(
    'Takes servers that may lose changes although they have acknowledged them: without `appendonly yes`, `appendfsync always` or `maxmemory-policy noeviction`. Default: such a server is refused.',
  ),
});

/** The module. The client is loaded when it is used. */
export const redisModule = defineModule(fleetStores, {
  name: 'redis',
  help: 'Keeps the document of a fleet in Redis or Valkey. A failover may lose changes; members notice, and keep what they have.',
  config,
  async provision(chosen, context): Promise<FleetStoreFactory> {
    const { endpoints, sentinel, username, password, database, tls } = chosen;
    if ((username ?? '') !== '' && (password ?? '') === '')
      throw context.error('is of no use without a password', 'username');
    const { RedisStore } = await import('./redis-store.ts');
    const address = {
      endpoints:
        endpoints === null || endpoints === undefined || endpoints.length === 0 ? ['localhost:6379'] : endpoints,
      sentinelMaster: sentinel ?? '',
      username: username ?? '',
      password: password ?? '',
      database: database ?? 0,
      tls: await readTlsFiles(tls),
    };
    return { open: (cluster): FleetStore => new RedisStore(address, cluster, chosen.accept_loss === true) };
  },
});
