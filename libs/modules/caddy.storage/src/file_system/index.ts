/** The module `caddy.storage.file_system`, which stores data in a local directory. */
import { resolve } from 'node:path';
import { dataDirectory } from '@sluice/base';
import { defineModule, options, string } from '@sluice/registry';
import { storages, storageTimesToken } from '@sluice/contracts';
import { FileStorage } from './file-storage.ts';

/** The storage directory is created on the first write. */
export const fileSystemModule = defineModule(storages, {
  name: 'file_system',
  help: "Stores data as files in a directory that only the server's user can read.",
  config: options({
    root: string("Storage directory. Default: the user's data directory, such as ~/.local/share/sluice."),
  }),
  provision: (config, context) => {
    const times = context.find(storageTimesToken);
    const lockTimes = times && { heartbeat: times.span / 5, stale: times.span, poll: times.poll };
    return new FileStorage(resolve(config.root || dataDirectory()), lockTimes);
  },
});
