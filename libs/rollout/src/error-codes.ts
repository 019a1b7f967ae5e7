/** Error codes of this package, documented in `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_ROLLOUT_PLAN: {
    meaning: 'A rollout plan is invalid.',
    advice:
      'Use the format in the message. `canary:N` sets a number of fleet members; `by` applies only to rollouts on a single server.',
  },
};
