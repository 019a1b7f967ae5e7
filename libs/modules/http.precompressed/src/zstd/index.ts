/** `http.precompressed.zstd`: precompressed files with the suffix `.zst`. */
import { httpPrecompressed } from '@sluice/http-app';
import { boolean, defineModule, options, string } from '@sluice/registry';

export const zstdFilesModule = defineModule(httpPrecompressed, {
  name: 'zstd',
  help: 'Serves files precompressed with Zstandard (RFC 8878), such as page.html.zst for page.html.',
  config: options({
    level: string('Accepted but ignored: files are already compressed.'),
    checksum: boolean('Accepted but ignored: files are already compressed.'),
  }),
  provision: () => ({ coding: 'zstd', suffix: '.zst' }),
});
