/** `http.handlers.file_server`: serves files of a folder. */
import { fileSystemsApp, httpHandlers, httpPrecompressed } from '@sluice/http-app';
import { defineModule } from '@sluice/registry';
import { compileBrowse } from './browse/browse.ts';
import { loadContentTypes } from './content-type.ts';
import { FileServer } from './file-server.ts';
import { fileServerOptions } from './options.ts';
import { Precompressed } from './precompressed.ts';

/** The module. */
export const fileServerModule = defineModule(httpHandlers, {
  name: 'file_server',
  help: 'Serves files of a folder: conditional and range requests, index files, listings, precompressed files.',
  config: fileServerOptions,
  async provision(config, context) {
    const kinds = await context.loadMap(httpPrecompressed, (config.precompressed ?? {}), 'precompressed');
    return new FileServer(config, {
      typeOf: await loadContentTypes(),
      precompressed: new Precompressed(kinds.values(), config.precompressed_order ?? []),
      browse: config.browse == null ? null : compileBrowse(config.browse, null, context),
      fileSystems: config.fs == null ? null : await context.appIfConfigured(fileSystemsApp),
      log: context.log,
    });
  },
});
