/** `sluice.fleet.stores.redis`: fleet store in Redis 6 and later, or Valkey. */
import { fleetStores, type FleetStore, type FleetStoreFactory } from '@sluice/fleet';
import { boolean, defineModule, integer, options, string, strings, structure } from '@sluice/registry';
import { readTlsFiles, storeTls } from '@sluice/store-clients';

const config = options({
  endpoints: strings(
    'Servers (a primary and its replicas), as `host:port` or socket paths. The server that accepts writes is used. If `sentinel` is set, these are Sentinels. Default: `localhost:6379`.',
    { examples: [['10.0.0.1:6379', '10.0.0.2:6379']] },
  ),
  sentinel: string('Name of the primary in Sentinel. If set, the endpoints are Sentinels instead of servers.'),
  username: string('Redis user name. Default: `default`.'),
  password: string('Password for the user name. Default: none.'),
  database: integer('Database number. Default: 0.', { minimum: 0 }),
  tls: structure('TLS settings for connections to Redis. Default: no TLS.', storeTls),
  accept_loss: boolean(
    'Accept servers that may lose acknowledged changes because they lack `appendonly yes`, `appendfsync always` or `maxmemory-policy noeviction`. Default: reject such servers.',
  ),
});

/** Fleet store module. Its Redis client is loaded on first use. */
export const redisModule = defineModule(fleetStores, {
  name: 'redis',
  help: 'Stores the fleet document in Redis or Valkey. Failover may lose changes; members detect this and keep their configuration.',
  config,
  async provision(chosen, context): Promise<FleetStoreFactory> {
    const { endpoints, sentinel, username, password, database, tls } = chosen;
    if ((username ?? '') !== '' && (password ?? '') === '')
      throw context.error('has no effect without a password', 'username');
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
