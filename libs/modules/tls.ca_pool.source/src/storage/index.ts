/** `tls.ca_pool.source.storage`: loads CA certificates from a storage backend. */
import {
  caPoolSources,
  checkedCertificates,
  storages,
  storageToken,
  type CaPool,
  type Storage,
} from '@sluice/contracts';
import { defineModule, inlineModule, options, strings, type Context } from '@sluice/registry';
import { SluiceError, messageOf } from '@sluice/base';

export const storageModule = defineModule(caPoolSources, {
  name: 'storage',
  help: 'Reads trusted certificate authorities from storage when the configuration is loaded.',
  config: options({
    storage: inlineModule(
      'Storage to read certificate authorities from. Default: the configured storage.',
      storages,
      'module',
    ),
    pem_keys: strings('Storage keys whose values are PEM data. Each value contains one or more certificates.'),
  }),
  async provision(config, context): Promise<CaPool> {
    const keys = config.pem_keys ?? [];
    if (keys.length === 0) throw context.error('must have at least one storage key', 'pem_keys');
    const own = config.storage ?? null;
    const storage =
      own === null ? await context.app(storageToken) : await context.loadInline(storages, own, 'module', 'storage');
    const lists = await Promise.all(keys.map((key, index) => read(storage, key, index, context)));
    return { certificates: lists.flat() };
  },
});

async function read(storage: Storage, key: string, index: number, context: Context): Promise<string[]> {
  try {
    const value = await storage.load(key);
    if (value === null) throw new SluiceError('ERR_CERTIFICATE', `${key}: the key does not exist in storage`);
    return checkedCertificates(value.toString('utf8'), key);
  } catch (error) {
    throw context.error(messageOf(error), 'pem_keys', index);
  }
}
