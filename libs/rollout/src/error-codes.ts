/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_ROLLOUT_PLAN: {
    meaning: 'The plan of a rollout is invalid.',
    advice: 'Use the format in the message. `canary:N` counts members of a fleet; `by` applies to a single server.',
  },
};
