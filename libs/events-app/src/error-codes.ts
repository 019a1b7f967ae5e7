/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_EVENTS: {
    meaning: 'The stream of events cannot be opened: the server tells none, or too many clients listen.',
    advice: 'Close other streams, or ask again later.',
  },
  ERR_EVENT_ABORTED: {
    meaning: 'A handler has stopped an event, and with it what the event announced.',
    advice: 'The configuration of the app `events` says so: look at the handler that the log names.',
  },
};
