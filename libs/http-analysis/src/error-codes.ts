/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_BEHAVIOR: {
    meaning: 'A change with `expect_same` would or might change how requests are handled.',
    advice: 'Run it with `?dry_run=behavior`, or `sluice plan`, to see the requests.',
  },
  ERR_EXPLAIN_REQUEST: {
    meaning: 'The request to explain is invalid: it contains an invalid key, or no server listens on its port.',
    advice: 'The message names the key. See the guide to explanations for the format.',
  },
  ERR_SHADOW: {
    meaning:
      'Requests could not be replayed: another shadow is running, it exceeded a limit, or a configuration has no http app.',
    advice: 'Wait for the other dry run with `?dry_run=shadow` to complete, or reduce `requests` and `seconds`.',
  },
};
