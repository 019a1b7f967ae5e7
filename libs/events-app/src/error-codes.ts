import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_EVENTS: {
    meaning: 'The event stream is unavailable, or too many clients are connected to it.',
    advice: 'Close other streams, or retry later.',
  },
  ERR_EVENT_ABORTED: {
    meaning: 'An event handler aborted an event, which also aborted the operation that emitted the event.',
    advice: 'Handlers are configured in the `events` app. Check the handler that is shown in the log.',
  },
};
