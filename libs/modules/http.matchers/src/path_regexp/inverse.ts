/** A pattern of paths as `path_regexp`. */
import type { WriteModule } from '@sluice/caddyfile';
import { regexpWords } from '../common/write-words.ts';

/** `path_regexp [NAME] PATTERN` */
export const writePathRegexp: WriteModule = (options) => {
  const written = regexpWords(options);
  return written === null ? null : [written];
};
