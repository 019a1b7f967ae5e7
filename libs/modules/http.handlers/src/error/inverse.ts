/** An error as `error`. */
import { words, type WriteDirective } from '@sluice/caddyfile';

/** `error [MESSAGE] STATUS` */
export const error: WriteDirective = (handler) => ({
  words: [...words(handler['error']), ...words(handler['status_code'])],
});
