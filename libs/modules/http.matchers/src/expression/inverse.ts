/** An expression as `expression`. */
import { isObject } from '@sluice/base';
import { words, type WriteModule } from '@sluice/caddyfile';

/**
 * `expression EXPRESSION`: in quotes it carries the name of the matcher around it. Without that it is as it was written, with
 * its own quotes.
 */
export const writeExpression: WriteModule = (options) =>
  isObject(options)
    ? [{ words: words(options['expr']) }]
    : [{ words: words(options).flatMap((each) => each.split(' ')), raw: true }];
