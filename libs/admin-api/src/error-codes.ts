/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_ADMIN_ADDRESS: {
    meaning: 'The admin API cannot listen on an address.',
    advice: 'Another server may be using it: stop that server, or change `admin.listen`.',
  },
  ERR_ADMIN_BODY: {
    meaning: 'The body of an admin API request is malformed.',
    advice: 'The message contains the line and column.',
  },
  ERR_ADMIN_CONFLICT: {
    meaning: '`PUT` cannot create a value that already exists.',
    advice: 'Use `PATCH` to replace it.',
  },
  ERR_ADMIN_FORBIDDEN: {
    meaning: 'The admin API rejected a request because of its origin, host, token or client certificate.',
    advice: 'Check `admin.origins`, the token, or the permissions of the identity.',
  },
  ERR_ADMIN_PATH: {
    meaning: 'The admin API has no such endpoint or value.',
    advice: 'See the message for available endpoints and values. `GET /config/` returns the configuration.',
  },
  ERR_ADMIN_PRECONDITION: {
    meaning: 'The part of the configuration named by `If-Match` has changed.',
    advice: 'Read it again, with its new ETag, and repeat the change.',
  },
  ERR_ADMIN_REFUSED: {
    meaning: 'A configuration was rejected; the previous one stays in effect.',
    advice: 'The message contains the path and the reason.',
  },
  ERR_POLICY: {
    meaning: 'A change does not meet the conditions of `admin.policies`.',
    advice: 'The message names the policy and what is missing. The guide to proposals describes policies.',
  },
  ERR_ADMIN_REQUEST: {
    meaning: 'An admin API request has an invalid method, Content-Type or parameter.',
    advice: 'The message describes what is expected.',
  },
  ERR_ADMIN_ROUTE: {
    meaning: 'Two modules register the same admin API route.',
    advice: 'Remove one of the packages.',
  },
  ERR_ADMIN_UNAVAILABLE: {
    meaning: 'The server is still starting, so the admin API is not ready yet.',
    advice: 'Retry after the number of seconds in `Retry-After`.',
  },
};
