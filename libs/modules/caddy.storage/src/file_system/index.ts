/** `caddy.storage.file_system`: a folder. */
import { resolve } from 'node:path';
import { dataDirectory } from '@sluice/base';
import { defineModule, options, string } from '@sluice/registry';
import { storages, storageTimesToken } from '@sluice/contracts';
import { FileStorage } from './file-storage.ts';

/** The module. The folder is made when something is kept in it. */
export const fileSystemModule = defineModule(storages, {
  name: 'file_system',
  help: 'Keeps data as files of a folder that only the user of the server can read.',
  config: options({
    root: string('The folder. Default: the data directory of the user, such as ~/.local/share/sluice.'),
  }),
  provision: (config, context) => {
    const times = context.find(storageTimesToken);
    const lockTimes = times && { heartbeat: times.span / 5, stale: times.span, poll: times.poll };
    return new FileStorage(resolve(config.root || dataDirectory()), lockTimes);
  },
});
