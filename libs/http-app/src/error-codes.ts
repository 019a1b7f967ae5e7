/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_CLIENT_GONE: {
    meaning: 'The client closed the connection before the response was complete; logs count it as 499.',
    advice: 'Nothing, unless it is frequent: then responses take longer than clients wait.',
  },
  ERR_HTTP: {
    meaning: 'A handler has refused a request with this status; error routes run.',
    advice: 'The message says why. Requests with a status below 500 are mistakes of clients.',
  },
  ERR_HTTP_ABORT: {
    meaning: 'A handler has closed the connection on purpose, without a response.',
    advice: 'Nothing: `abort` in the configuration asks for it.',
  },
  ERR_LISTEN: {
    meaning: 'An address cannot be listened on.',
    advice:
      'Another process may have the port (`ss -ltnp`), or it needs a privilege; or the address is not of this machine.',
  },
  ERR_UPSTREAM: {
    meaning:
      'The reverse proxy has no response of an upstream: it cannot be reached, is too slow, or its response is malformed.',
    advice: 'Look at the upstream, and at the time limits of the transport. Status 502, or 504 where time ran out.',
  },
};
