/** Files that are there as `file`. */
import { isObject } from '@sluice/base';
import { optionLines, words, type WriteModule } from '@sluice/caddyfile';

/** `file FILE… { … }` */
export const writeFile: WriteModule = (options) => {
  if (!isObject(options)) return null;
  const block = optionLines(options, [
    ['root', 'root'],
    ['try_files', 'try_files'],
    ['try_policy', 'try_policy'],
    ['split_path', 'split_path'],
  ]);
  return block.length === 1 && options['try_files'] !== undefined
    ? [{ words: words(options['try_files']) }]
    : [{ block }];
};
