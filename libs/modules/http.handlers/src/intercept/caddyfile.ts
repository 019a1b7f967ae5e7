/** `intercept [matcher] { @name …; replace_status …; handle_response [@name] { … } }` */
import { compact, handlerDirective, moduleObject, ResponseHandlers } from '@sluice/caddyfile';

/** Makes the handler `intercept`. */
export const intercept = handlerDirective((reader) => {
  const handlers = new ResponseHandlers();
  for (const option of reader.block()) {
    if (!handlers.read(option, reader)) throw reader.error(`unrecognized subdirective ${option}`);
  }
  return moduleObject('handler', 'intercept', compact({ handle_response: handlers.finish() }));
});
