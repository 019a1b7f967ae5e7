/** A URL pattern as `url_pattern`. */
import { isObject } from '@sluice/base';
import { noWords, optionLines, words, written, type WriteModule } from '@sluice/caddyfile';

/** `url_pattern PATTERN { … }` */
export const writeUrlPattern: WriteModule = (options) => {
  if (!isObject(options)) return null;
  const block = optionLines(options, [
    ['base_url', 'base_url'],
    ['ignore_case', 'ignore_case', noWords],
  ]);
  return [written(words(options['pattern']), block)];
};
