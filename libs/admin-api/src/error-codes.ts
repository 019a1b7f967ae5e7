/** The error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_ADMIN_ADDRESS: {
    meaning: 'The admin API cannot listen on an address.',
    advice: 'Another server may have it: stop that one, or set `admin.listen`.',
  },
  ERR_ADMIN_BODY: {
    meaning: 'The body of a request to the admin API cannot be read.',
    advice: 'The message has the line and the column.',
  },
  ERR_ADMIN_CONFLICT: {
    meaning: '`PUT` was to create what exists already.',
    advice: 'Use `PATCH` to replace it.',
  },
  ERR_ADMIN_FORBIDDEN: {
    meaning: 'The admin API refuses a request: its origin, its host, its token or its certificate does not allow it.',
    advice: 'Check `admin.origins`, the token, or the scopes of the identity.',
  },
  ERR_ADMIN_PATH: {
    meaning: 'There is nothing at this path of the admin API.',
    advice: 'The message says what there is. `GET /config/` is the configuration.',
  },
  ERR_ADMIN_PRECONDITION: {
    meaning: 'The part of the document that `If-Match` names has changed.',
    advice: 'Read it again, with its ETag, and repeat the change.',
  },
  ERR_ADMIN_REFUSED: {
    meaning: 'A configuration was refused; the one before stays in force.',
    advice: 'The message has the place and the reason.',
  },
  ERR_ADMIN_REQUEST: {
    meaning: 'A request to the admin API is wrong: its method, its Content-Type, or a parameter.',
    advice: 'The message says what is expected.',
  },
  ERR_ADMIN_ROUTE: {
    meaning: 'Two modules contribute the same route of the admin API.',
    advice: 'Leave out one of the packages.',
  },
  ERR_ADMIN_UNAVAILABLE: {
    meaning: 'The server is still starting, so the admin API cannot serve a request yet.',
    advice: 'Ask again after the seconds that `Retry-After` names.',
  },
};
