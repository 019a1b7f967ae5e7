/** The `storage` section, which selects the storage module. Default: a directory in the data directory. */
import { type JsonObject, messageOf, SluiceError } from '@sluice/base';
import {
  defineModule,
  type ModuleDescriptor,
  namespace,
  type Context,
  moduleKeyword,
  type ModuleReference,
  Type,
} from '@sluice/registry';
import { storages, type Storage } from '@sluice/contracts';

const reference: ModuleReference = { namespace: storages.id, kind: 'inline', key: 'module' };

export const storageSection: ModuleDescriptor<Storage> = defineModule(namespace<Storage>(''), {
  name: 'storage',
  help: 'Storage for certificates, keys and other data. Default: files in the data directory.',
  config: Type.Unsafe<JsonObject>({ type: 'object', [moduleKeyword]: reference }),
  provision: (config, context) =>
    Object.keys(config).length === 0 ? defaultStorage(context) : context.loadInline(storages, config, 'module'),
});

/** Returns the default storage. A server without a storage module fails when storage is first used, not at startup. */
async function defaultStorage(context: Context): Promise<Storage> {
  try {
    return await context.loadInline(storages, { module: 'file_system' }, 'module');
  } catch (error) {
    return missingStorage(error);
  }
}

function missingStorage(cause: unknown): Storage {
  const fail = (): Promise<never> =>
    Promise.reject(new SluiceError('ERR_STORAGE_MISSING', `storage is not available: ${messageOf(cause)}`, { cause }));
  return { load: fail, store: fail, delete: fail, exists: fail, list: fail, stat: fail, lock: fail };
}
