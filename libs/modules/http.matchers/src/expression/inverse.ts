/** An expression as `expression`. */
import { isObject } from '@sluice/base';
import { words, type WriteModule } from '@sluice/caddyfile';

/** `expression EXPRESSION`: the name that options carry is that of the matcher around it. */
export const writeExpression: WriteModule = (options) => [
  { words: words(isObject(options) ? options['expr'] : options) },
];
