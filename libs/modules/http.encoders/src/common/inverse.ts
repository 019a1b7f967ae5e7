/** A format with a level as a line. */
import { isObject } from '@sluice/base';
import { words, type WriteModule } from '@sluice/caddyfile';

/** `gzip [LEVEL]` */
export const writeLevel: WriteModule = (options) => (isObject(options) ? [{ words: words(options['level']) }] : null);
