/** `http.precompressed.br`: precompressed files with the suffix `.br`. */
import { httpPrecompressed } from '@sluice/http-app';
import { defineModule, options } from '@sluice/registry';

export const brFilesModule = defineModule(httpPrecompressed, {
  name: 'br',
  help: 'Serves files precompressed with Brotli (RFC 7932), such as page.html.br for page.html.',
  config: options({}),
  provision: () => ({ coding: 'br', suffix: '.br' }),
});
