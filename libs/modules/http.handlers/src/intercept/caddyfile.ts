/** The directive `intercept [matcher] { @name …; replace_status …; handle_response [@name] { … } }`. */
import { compact, handler, responseHandlers, responseMatchers, responseOptions } from '@sluice/caddyfile';

export const intercept = handler('intercept', {
  block: responseOptions,
  others: responseMatchers,
  finish: (fields) => compact({ handle_response: responseHandlers(fields).finish() }),
  help: 'Intercepts responses from later handlers, to handle them with other directives or to change the status code.',
  example:
    'intercept {\n\t@missing status 404\n\thandle_response @missing {\n\t\trespond "nothing at {path}" 404\n\t}\n}\nfile_server',
});
