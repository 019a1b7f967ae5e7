/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_BEHAVIOR: {
    meaning: 'A change with `expect_same` would, or might, change how requests are handled.',
    advice: 'To see the affected requests, repeat the change with `?dry_run=behavior`, or run `sluice plan`.',
  },
  ERR_EXPLAIN_REQUEST: {
    meaning: 'A request for an explanation is invalid: it contains an invalid key, or no server listens on its port.',
    advice: 'Correct the key in the message. For the format, see the guide to explanations.',
  },
  ERR_SHADOW: {
    meaning:
      'Recorded requests could not be replayed: another replay is running, the replay exceeded a limit, or a configuration has no `http` app.',
    advice: 'Wait until the other dry run (`?dry_run=shadow`) completes, or reduce `requests` and `seconds`.',
  },
};
