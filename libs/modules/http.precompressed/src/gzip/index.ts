/** `http.precompressed.gzip`: precompressed files with the suffix `.gz`. */
import { httpPrecompressed } from '@sluice/http-app';
import { defineModule, integer, options } from '@sluice/registry';

export const gzipFilesModule = defineModule(httpPrecompressed, {
  name: 'gzip',
  help: 'Serves files precompressed with gzip (RFC 1952), such as page.html.gz for page.html.',
  config: options({ level: integer('Accepted but ignored: files are already compressed.') }),
  provision: () => ({ coding: 'gzip', suffix: '.gz' }),
});
