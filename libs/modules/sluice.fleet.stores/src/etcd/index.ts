/** `sluice.fleet.stores.etcd`: fleet store in etcd 3.4 and later. */
import { fleetStores, type FleetStore, type FleetStoreFactory } from '@sluice/fleet';
import { defineModule, options, string, strings, structure } from '@sluice/registry';
import { readTlsFiles, storeTls } from '@sluice/store-clients';

const config = options({
  endpoints: strings('etcd nodes, as `host:port`. Any available node is used. Default: `localhost:2379`.', {
    examples: [['10.0.0.1:2379', '10.0.0.2:2379', '10.0.0.3:2379']],
  }),
  username: string('User name for etcd, if it requires authentication.'),
  password: string('Password for the user name.'),
  tls: structure('TLS settings for connections to etcd. Default: no TLS.', storeTls),
});

/** Fleet store module. Its etcd client is loaded on first use. */
export const etcdModule = defineModule(fleetStores, {
  name: 'etcd',
  help: 'Stores the fleet document in etcd.',
  config,
  async provision({ endpoints, username, password, tls: files }, context): Promise<FleetStoreFactory> {
    if (password !== undefined && password !== '' && (username ?? '') === '')
      throw context.error('has no effect without a username', 'password');
    const { EtcdStore } = await import('./etcd-store.ts');
    const address = {
      endpoints:
        endpoints === null || endpoints === undefined || endpoints.length === 0 ? ['localhost:2379'] : endpoints,
      username: username ?? '',
      password: password ?? '',
      tls: await readTlsFiles(files),
    };
    return { open: (cluster): FleetStore => new EtcdStore(address, cluster) };
  },
});
