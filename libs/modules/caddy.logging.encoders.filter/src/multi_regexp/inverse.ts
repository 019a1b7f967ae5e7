/** Several patterns as `multi_regexp`. */
import { isArray, isObject } from '@sluice/base';
import { words, type WriteModule } from '@sluice/caddyfile';

/** `multi_regexp { regexp PATTERN VALUE }` */
export const writeMultiRegexp: WriteModule = (options) => {
  const operations = isObject(options) && isArray(options['operations']) ? options['operations'] : [];
  const block = operations.filter(isObject).map(({ regexp, value }) => ({
    words: ['regexp', ...words(regexp), ...words(value ?? '')],
  }));
  return [{ block }];
};
