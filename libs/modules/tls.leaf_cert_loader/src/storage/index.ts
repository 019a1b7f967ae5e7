/** `tls.leaf_cert_loader.storage`: loads client certificates from a storage backend. */
import { SluiceError } from '@sluice/base';
import { defineModule, inlineModule, options, strings } from '@sluice/registry';
import { storages, storageToken, type Storage, leafLoaders, type LeafLoader } from '@sluice/contracts';
import { expandGlobal } from '@sluice/tls-app';
import { certificatesIn } from '../common/certificates.ts';

export const storageModule = defineModule(leafLoaders, {
  name: 'storage',
  help: 'Reads accepted client certificates from storage when the configuration is loaded.',
  config: options({
    storage: inlineModule(
      'Storage to read client certificates from. Default: the configured storage.',
      storages,
      'module',
    ),
    certificates: strings('Storage keys whose values are PEM data. Each value contains one or more certificates.'),
  }),
  async provision(config, context): Promise<LeafLoader> {
    const own = config.storage ?? null;
    const storage =
      own === null ? await context.app(storageToken) : await context.loadInline(storages, own, 'module', 'storage');
    const keys = (config.certificates ?? []).map(expandGlobal);
    return {
      load: async () => (await Promise.all(keys.map((key) => read(storage, key)))).flat(),
    };
  },
});

async function read(storage: Storage, key: string): Promise<string[]> {
  const value = await storage.load(key);
  if (value === null) throw new SluiceError('ERR_CERTIFICATE', `${key}: the key does not exist in storage`);
  return certificatesIn(value.toString('utf8'), key);
}
