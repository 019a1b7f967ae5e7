/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_EVENTS: {
    meaning: 'The event stream is unavailable, or has too many clients.',
    advice: 'Close other streams, or retry later.',
  },
  ERR_EVENT_ABORTED: {
    meaning: 'An event handler aborted an event, and with it the operation that the event announced.',
    advice: 'This is configured in the `events` app: check the handler named in the log.',
  },
};
