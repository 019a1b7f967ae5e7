/** Error codes of this package, documented in `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_DEBUG: {
    meaning:
      'A profile or heap snapshot cannot be taken: the thread does not exist, or another profile or snapshot is in progress.',
    advice: 'Check the threads in `GET /debug/vars`, or retry later.',
  },
  ERR_LOGS: {
    meaning: 'Logs cannot be streamed: there are too many clients, or the search text is too long.',
    advice: 'Close other clients of `GET /logs/stream`, or use a shorter search text.',
  },
  ERR_METRICS: {
    meaning: 'This server does not collect metrics.',
    advice: 'No action is required. Servers started with `sluice run` always collect metrics; test hosts do not.',
  },
};
