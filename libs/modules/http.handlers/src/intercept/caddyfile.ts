/** `intercept [matcher] { @name …; replace_status …; handle_response [@name] { … } }` */
import {
  compact,
  handler,
  handlerDirective,
  moduleObject,
  note,
  ResponseHandlers,
  type WriteDirective,
} from '@sluice/caddyfile';
import { responseLines } from '../reverse_proxy/caddyfile/written.ts';

/** Makes the handler `intercept`. */
const readIntercept = handlerDirective((reader) => {
  const handlers = new ResponseHandlers();
  for (const option of reader.block()) {
    if (!handlers.read(option, reader)) throw reader.error(`unrecognized subdirective ${option}`);
  }
  return moduleObject('handler', 'intercept', compact({ handle_response: handlers.finish() }));
});

/** `intercept { … }` */
const writeIntercept: WriteDirective = async (handler, writer) => ({
  block: await responseLines(handler['handle_response'], writer),
});

export const intercept = handler(
  'intercept',
  {
    help: 'Handles responses of later handlers with directives, or changes their status.',
    block: {
      replace_status: note('[@<matcher>] <status>', 'Changes the status of matching responses.'),
      handle_response: {
        ...note('[@<matcher>]', 'Handles matching responses with directives.'),
        content: 'directives',
      },
    },
    example:
      'intercept {\n\t@missing status 404\n\thandle_response @missing {\n\t\trespond "nothing at {path}" 404\n\t}\n}\nfile_server',
  },
  { directive: readIntercept, write: writeIntercept },
);
