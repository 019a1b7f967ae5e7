/** `http.handlers.file_server`: serves files of a folder. */
import { httpHandlers } from '@sluice/http-app';
import { defineModule } from '@sluice/registry';
import { loadContentTypes } from './content-type.ts';
import { FileServer } from './file-server.ts';
import { fileServerOptions } from './options.ts';

/** The module. */
export const fileServerModule = defineModule(httpHandlers, {
  name: 'file_server',
  help: 'Serves files of a folder: conditional and range requests, index files, listings, precompressed files.',
  config: fileServerOptions,
  provision: async (config) => new FileServer(config, await loadContentTypes()),
});
