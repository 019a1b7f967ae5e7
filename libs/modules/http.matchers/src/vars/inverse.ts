/** Variables as lines `vars`. */
import { isObject } from '@sluice/base';
import { words, type WriteModule } from '@sluice/caddyfile';

/** `vars VARIABLE VALUE…` */
export const writeVars: WriteModule = (options) =>
  isObject(options) ? Object.entries(options).map(([name, values]) => ({ words: [name, ...words(values)] })) : null;
