/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_DEBUG: {
    meaning:
      'A profile or heap snapshot cannot be taken: the thread does not exist, or another profile or snapshot is in progress.',
    advice: 'Check `GET /debug/vars`, and retry later.',
  },
  ERR_LOGS: {
    meaning: 'Logs cannot be streamed: there are too many clients, or the search text is too long.',
    advice: 'Close one of the streams of `GET /logs/stream`.',
  },
  ERR_METRICS: {
    meaning: 'This server does not collect metrics.',
    advice: 'Cannot occur in a server started with `sluice run`; test hosts have no metrics.',
  },
};
