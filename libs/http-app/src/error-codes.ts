/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_CLIENT_GONE: {
    meaning:
      'The client closed the connection before the response was complete. The status code is 499 if the response had not started.',
    advice:
      'Usually, no action is required. If this happens often, responses take longer than clients are willing to wait.',
  },
  ERR_HTTP: {
    meaning: 'A handler rejected a request with this status code. Error routes run.',
    advice: 'See the reason in the message. Status codes below 500 are client errors.',
  },
  ERR_HTTP_ABORT: {
    meaning: 'A handler closed the connection without a response, as configured.',
    advice: 'No action is required, because `abort` in the configuration closes such connections.',
  },
  ERR_LISTEN: {
    meaning: 'The server cannot listen on an address.',
    advice:
      'Another process may be using the port (`ss -ltnp`), the port may require privileges, or the address may not belong to this machine.',
  },
  ERR_UPSTREAM: {
    meaning:
      'The reverse proxy did not receive a valid response: the upstream is unreachable or too slow, or its response is malformed.',
    advice:
      'Check the upstream and the transport timeouts. The status code is 504 after a timeout, and 502 for other failures.',
  },
};
