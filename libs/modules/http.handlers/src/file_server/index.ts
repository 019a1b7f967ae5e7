/** The module `http.handlers.file_server`, which serves the files in a directory. */
import { compileRoot, compileText, fileSystemsApp, httpHandlers, httpPrecompressed } from '@sluice/http-app';
import { defineModule } from '@sluice/registry';
import { compileBrowse, type PageTemplate } from './browse/browse.ts';
import { loadContentTypes } from './content-type.ts';
import { FileServer } from './file-server.ts';
import { fileServerOptions, type FileServerOptions } from './options.ts';
import { Precompressed } from './precompressed.ts';

export const fileServerModule = defineModule(httpHandlers, {
  name: 'file_server',
  effect: 'reads',
  help: 'Serves files from a directory. Supports conditional and range requests, index files, directory listings and precompressed files.',
  config: fileServerOptions,
  async provision(config, context) {
    const kinds = await context.loadMap(httpPrecompressed, config.precompressed ?? {}, 'precompressed');
    return new FileServer(config, {
      typeOf: await loadContentTypes(),
      precompressed: new Precompressed(kinds.values(), config.precompressed_order ?? []),
      browse: config.browse == null ? null : compileBrowse(config.browse, await pageTemplate(config), context),
      fileSystems: config.fs == null ? null : await context.appIfConfigured(fileSystemsApp),
      log: context.log,
    });
  },
});

/** Returns the page template for `browse`. The template language is loaded on demand, because loading it takes time. */
async function pageTemplate({ browse, root }: FileServerOptions): Promise<PageTemplate | null> {
  const file = browse?.template_file ?? '';
  if (file === '') return null;
  const { compilePageTemplate } = await import('./browse/template.ts');
  return compilePageTemplate(compileText(file, 'empty'), compileRoot(root));
}
