/** The module `caddy.storage.etcd`, which stores values and locks in etcd. */
import { storages, storageTimesToken } from '@sluice/contracts';
import { defineModule, options, string, strings, structure } from '@sluice/registry';
import { readTlsFiles, storeTls } from '@sluice/store-clients';

const config = options({
  endpoints: strings('etcd nodes, as `host:port` or URLs. Any available node is used. Default: `localhost:2379`.'),
  prefix: string('Prefix of all keys. Default: `/caddy`.'),
  username: string('User name, if etcd requires authentication. Default: none.'),
  password: string('Password of the user. Default: none.'),
  tls: structure('TLS settings. Default: no TLS, unless an endpoint is an `https` URL.', storeTls),
});

/** The etcd client is loaded, and connects, on first use. */
export const etcdModule = defineModule(storages, {
  name: 'etcd',
  help: 'Stores data in etcd, with fenced locks: a writer that lost its lock is rejected.',
  config,
  async provision({ endpoints, prefix, username, password, tls: files }, context) {
    if ((password ?? '') !== '' && (username ?? '') === '') throw context.error('requires a username', 'password');
    const { EtcdStorage } = await import('./etcd-storage.ts');
    const places =
      endpoints === null || endpoints === undefined || endpoints.length === 0 ? defaultEndpoints : endpoints;
    const secure = places.some((place) => place.startsWith('https:'));
    const address = {
      endpoints: places.map((place) => place.replace(/^https?:\/\//, '').replace(/\/$/, '')),
      username: username ?? '',
      password: password ?? '',
      tls: await readTlsFiles(secure ? (files ?? {}) : files),
    };
    const storage = new EtcdStorage(address, (prefix || '/caddy').replace(/\/+$/, ''), context.find(storageTimesToken));
    context.onDispose(() => storage.close());
    return storage;
  },
});

const defaultEndpoints = ['localhost:2379'];
