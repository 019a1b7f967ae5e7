/** `error [matcher] STATUS | MESSAGE [STATUS] { message TEXT }` */
import {
  compact,
  handler,
  handlerDirective,
  moduleObject,
  note,
  weakField,
  words,
  type WriteDirective,
} from '@sluice/caddyfile';

/** Makes the handler `error`. */
const readError = handlerDirective((reader) => {
  const words = reader.remaining();
  if (words.length === 0 || words.length > 2) throw reader.argumentError();
  const [first = '', second] = words;
  const onlyStatus = second === undefined && /^\d{3}$/.test(first);
  let message = onlyStatus ? '' : first;
  const status = onlyStatus ? first : (second ?? '');
  for (const option of reader.block()) {
    if (option !== 'message') throw reader.error(`unrecognized subdirective '${option}'`);
    if (message !== '') throw reader.error('message already specified');
    message = reader.onlyArgument();
  }
  return moduleObject('handler', 'error', { ...compact({ error: message }), ...weakField('status_code', status) });
});

/** `error [MESSAGE] STATUS` */
const writeError: WriteDirective = (handler) => ({
  words: [...words(handler['error']), ...words(handler['status_code'])],
});

export const error = handler(
  'error',
  {
    shown: ['<status>', '<message> [<status>]'],
    help: 'Raises an error, which `handle_errors` may handle. Default status: 500.',
    block: { message: note('<text>', 'Error message, on a line of its own.') },
    example: 'error /secret* "not for you" 403\nhandle_errors {\n\trespond "{err.status_code}: {err.message}"\n}',
  },
  { directive: readError, write: writeError },
);
