/** `sluice.fleet.stores.postgres`: fleet store in PostgreSQL 12 and later. */
import { fleetStores, type FleetStore, type FleetStoreFactory } from '@sluice/fleet';
import { boolean, defineModule, options, string, strings, structure } from '@sluice/registry';
import { readTlsFiles, storeTls } from '@sluice/store-clients';

const config = options({
  endpoints: strings(
    'Servers (a primary and its standbys), as `host:port` or socket directories. The server that accepts writes is used. Connections must not go through a connection pooler. Default: `localhost:5432`.',
    { examples: [['10.0.0.1:5432', '10.0.0.2:5432']] },
  ),
  database: string('Name of the PostgreSQL database. Default: `sluice`.'),
  schema: string('PostgreSQL schema for the tables. The schema is created if it does not exist. Default: `sluice`.'),
  username: string('PostgreSQL user name. Default: `sluice`.'),
  password: string('Password for the user name. Default: none.'),
  tls: structure('TLS settings for connections to PostgreSQL. Default: no TLS.', storeTls),
  accept_loss: boolean(
    'Accept servers that may lose acknowledged changes because `fsync` is off. Default: reject such servers.',
  ),
});

/** Fleet store module. Its PostgreSQL client is loaded on first use. */
export const postgresModule = defineModule(fleetStores, {
  name: 'postgres',
  help: 'Stores the fleet document in PostgreSQL. Failover to an asynchronous standby may lose changes; members detect this and keep their configuration.',
  config,
  async provision({
    endpoints,
    database,
    schema,
    username,
    password,
    tls,
    accept_loss: acceptLoss,
  }): Promise<FleetStoreFactory> {
    const { PostgresStore } = await import('./postgres-store.ts');
    const address = {
      endpoints:
        endpoints === null || endpoints === undefined || endpoints.length === 0 ? ['localhost:5432'] : endpoints,
      database: database || 'sluice',
      username: username || 'sluice',
      password: password ?? '',
      tls: await readTlsFiles(tls),
    };
    const choice = { schema: schema || 'sluice', acceptLoss: acceptLoss === true };
    return { open: (cluster): FleetStore => new PostgresStore(address, cluster, choice) };
  },
});
