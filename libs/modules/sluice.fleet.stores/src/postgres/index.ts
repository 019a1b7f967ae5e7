/** `sluice.fleet.stores.postgres`: PostgreSQL 12 and later. */
import { fleetStores, type FleetStore, type FleetStoreFactory } from '@sluice/fleet';
import { boolean, defineModule, options, string, strings, structure } from '@sluice/registry';
import { readTlsFiles, storeTls } from '@sluice/store-clients';

const config = options({
  endpoints: strings(
    'Servers, as `host:port`, or folders of sockets: a primary and its standbys; the one that takes writes is used. Direct connections, not through a pooler. Default: `localhost:5432`.',
    { examples: [['10.0.0.1:5432', '10.0.0.2:5432']] },
  ),
  database: string('Name of the database. Default: `sluice`.'),
  schema: string('Name of the schema that the tables are in; it is made if it is missing. Default: `sluice`.'),
  username: string('Who the member is. Default: `sluice`.'),
  password: string('The password of the user. Default: none.'),
  tls: structure('Connections over TLS. Default: without.', storeTls),
  accept_loss: boolean(
    'Takes servers that may lose changes although they have acknowledged them: with `fsync` off. Default: such a server is refused.',
  ),
});

/** The module. The client is loaded when it is used. */
export const postgresModule = defineModule(fleetStores, {
  name: 'postgres',
  help: 'Keeps the document of a fleet in PostgreSQL. A failover to a standby that is not synchronous may lose changes; members notice, and keep what they have.',
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
