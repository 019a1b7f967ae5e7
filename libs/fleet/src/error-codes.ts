/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_FLEET_STORE: {
    meaning: 'The store of the fleet cannot be reached, or refused what was asked of it. Nothing was changed.',
    advice: 'Look at the store; the message has what it said. Requests are served meanwhile.',
  },
  ERR_FLEET_UNKNOWN: {
    meaning: 'The store of the fleet took a change and did not say what became of it.',
    advice: 'Read the configuration before you send the change again; with the same operation it is made once.',
  },
};
