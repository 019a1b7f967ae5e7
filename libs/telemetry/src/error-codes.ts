/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_DEBUG: {
    meaning: 'A profile or a heap cannot be taken: there is no such thread, or one is being taken.',
    advice: 'Look at `GET /debug/vars`, and ask again later.',
  },
  ERR_LOGS: {
    meaning: 'The logs cannot be followed: too many clients do, or what is searched for is too long.',
    advice: 'Close one of the streams of `GET /logs/stream`.',
  },
  ERR_METRICS: {
    meaning: 'This server keeps no metrics.',
    advice: 'Nothing in a server that was started with `sluice run`; hosts in tests have none.',
  },
};
