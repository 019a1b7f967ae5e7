/** Formats with a level as a line. */
import { isObject } from '@sluice/base';
import { words, type WriteModule } from '@sluice/caddyfile';

/** `gzip [LEVEL]`, `zstd [LEVEL]` */
export const writeLevel: WriteModule = (options) => (isObject(options) ? [{ words: words(options['level']) }] : null);
