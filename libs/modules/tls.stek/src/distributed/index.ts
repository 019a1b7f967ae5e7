/** `tls.stek.distributed`: keys that all servers with one storage share. */
import { defineModule, inlineModule, options } from '@sluice/registry';
import { storages, storageToken } from '@sluice/contracts';
import { ticketKeySources, type TicketKeySource } from '@sluice/tls-app';
import { StoredKeys } from './stored-keys.ts';

/** The module. */
export const distributedModule = defineModule(ticketKeySources, {
  name: 'distributed',
  help: 'Keys of session tickets in a storage: all servers that use it can resume the sessions of each other.',
  config: options({
    storage: inlineModule('The storage. Default: that of the configuration.', storages, 'module'),
  }),
  async provision(config, context): Promise<TicketKeySource> {
    const own = config.storage ?? null;
    const storage =
      own === null ? await context.app(storageToken) : await context.loadInline(storages, own, 'module', 'storage');
    return new StoredKeys(storage, context.log);
  },
});
