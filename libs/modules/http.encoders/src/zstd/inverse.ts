/** Compression by Zstandard as `zstd`. */
import { isObject } from '@sluice/base';
import { words, written, type WriteModule } from '@sluice/caddyfile';

/** `zstd [LEVEL] { disable_checksum }` */
export const writeZstd: WriteModule = (options) => {
  if (!isObject(options)) return null;
  const block = options['checksum'] === false ? [{ words: ['disable_checksum'] }] : [];
  return [written(words(options['level']), block)];
};
