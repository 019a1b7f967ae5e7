/** `log_append [matcher] [<]KEY VALUE` */
import { compact, handlerDirective, moduleObject } from '@sluice/caddyfile';

/** Makes the handler `log_append`; `<` before the key has the value taken before the request is handled. */
export const logAppend = handlerDirective((reader) => {
  const key = reader.argument();
  const value = reader.argument();
  const early = key.startsWith('<');
  return moduleObject('handler', 'log_append', compact({ early, key: early ? key.slice(1) : key, value }));
});
