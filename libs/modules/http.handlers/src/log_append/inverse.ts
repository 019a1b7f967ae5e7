/** A field of the access log as `log_append`. */
import { words, type WriteDirective } from '@sluice/caddyfile';

/** `log_append [<]KEY VALUE` */
export const logAppend: WriteDirective = ({ key, value, early }) => ({
  words: [...words(key).map((each) => (early === true ? `<${each}` : each)), ...words(value)],
});
