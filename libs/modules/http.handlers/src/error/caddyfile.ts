/** The directive `error [matcher] STATUS | MESSAGE [STATUS] { message TEXT }`. */
import { alias, handler, text } from '@sluice/caddyfile';
import { textAndStatus } from '../common/text-and-status.ts';

export const error = handler('error', {
  shown: ['<status>', '<message> [<status>]'],
  line: textAndStatus('error'),
  block: {
    message: alias(
      text('<text>', { field: 'error', once: 'message already specified' }),
      'Error message, as an alternative to the argument.',
    ),
  },
  help: 'Raises an error, which `handle_errors` can handle. Default status code: 500.',
  example: 'error /secret* "not for you" 403\nhandle_errors {\n\trespond "{err.status_code}: {err.message}"\n}',
});
