/** `tls.stek.distributed`: session ticket keys shared by all servers with the same storage. */
import { defineModule, inlineModule, options } from '@sluice/registry';
import { storages, storageToken } from '@sluice/contracts';
import { ticketKeySources, type TicketKeySource } from '@sluice/tls-app';
import { StoredKeys } from './stored-keys.ts';

export const distributedModule = defineModule(ticketKeySources, {
  name: 'distributed',
  help: "Keeps TLS session ticket keys in storage, so that all servers that share the storage can resume each other's sessions.",
  config: options({
    storage: inlineModule('Storage for the session ticket keys. Default: the configured storage.', storages, 'module'),
  }),
  async provision(config, context): Promise<TicketKeySource> {
    const own = config.storage ?? null;
    const storage =
      own === null ? await context.app(storageToken) : await context.loadInline(storages, own, 'module', 'storage');
    return new StoredKeys(storage, context.log);
  },
});
