/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_CLIENT_GONE: {
    meaning: 'The client closed the connection before the response was complete; 499 if none had started.',
    advice: 'Usually none. If it happens often, responses take longer than clients are willing to wait.',
  },
  ERR_HTTP: {
    meaning: 'A handler rejected a request with this status; error routes run.',
    advice: 'See the message for the reason. Statuses below 500 are client errors.',
  },
  ERR_HTTP_ABORT: {
    meaning: 'A handler deliberately closed the connection without a response.',
    advice: 'None; `abort` in the configuration requests it.',
  },
  ERR_LISTEN: {
    meaning: 'Cannot listen on an address.',
    advice:
      'Another process may be using the port (`ss -ltnp`), the port may require privileges, or the address may not belong to this machine.',
  },
  ERR_UPSTREAM: {
    meaning:
      'The reverse proxy received no valid response: the upstream is unreachable or too slow, or its response is malformed.',
    advice: 'Check the upstream and the transport timeouts. The status is 504 after a timeout, otherwise 502.',
  },
};
