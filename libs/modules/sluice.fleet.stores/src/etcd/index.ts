/** `sluice.fleet.stores.etcd`: etcd 3.4 and later. */
import { readFile } from 'node:fs/promises';
import { fleetStores, type FleetStore, type FleetStoreFactory } from '@sluice/fleet';
import { defineModule, options, string, strings, structure, type Options } from '@sluice/registry';

const tls = options({
  ca: string('File of the authorities that nodes may have their certificates from; those of the system without it.'),
  certificate: string('File of the certificate that the member shows.'),
  key: string('File of its key.'),
});

const config = options({
  endpoints: strings('Nodes, as `host:port`. Any one that can be reached will do. Default: `localhost:2379`.', {
    examples: [['10.0.0.1:2379', '10.0.0.2:2379', '10.0.0.3:2379']],
  }),
  username: string('Who the member is, where etcd asks.'),
  password: string('The password of the user.'),
  tls: structure('Connections over TLS.', tls),
});

/** The module. The client is loaded when it is used. */
export const etcdModule = defineModule(fleetStores, {
  name: 'etcd',
  help: 'Keeps the document of a fleet in etcd.',
  config,
  async provision({ endpoints, username, password, tls: files }, context): Promise<FleetStoreFactory> {
    if (password !== undefined && password !== '' && (username ?? '') === '')
      throw context.error('is of no use without a username', 'password');
    const { EtcdStore } = await import('./etcd-store.ts');
    const address = {
      endpoints:
        endpoints === null || endpoints === undefined || endpoints.length === 0 ? ['localhost:2379'] : endpoints,
      username: username ?? '',
      password: password ?? '',
      tls: files === null || files === undefined ? null : await readFiles(files),
    };
    return { open: (cluster): FleetStore => new EtcdStore(address, cluster) };
  },
});

async function readFiles({ ca, certificate, key }: Options<typeof tls>): Promise<{
  readonly ca: Buffer | null;
  readonly certificate: Buffer | null;
  readonly key: Buffer | null;
}> {
  const [read, own, secret] = await Promise.all([ca, certificate, key].map(readOptional));
  return { ca: read ?? null, certificate: own ?? null, key: secret ?? null };
}

async function readOptional(path: string | null | undefined): Promise<Buffer | null> {
  return (path ?? '') === '' ? null : readFile(path as string);
}
