/** Error codes of this package; see `docs/errors.md`. */
import type { ErrorCodes } from '@sluice/base';

export const errorCodes: ErrorCodes = {
  ERR_ADMIN_ADDRESS: {
    meaning: 'The admin API cannot listen on an address.',
    advice: 'Another process may be using the address: stop that process, or change `admin.listen`.',
  },
  ERR_ADMIN_BODY: {
    meaning: 'The body of an admin API request is malformed.',
    advice: 'Correct the body. The message contains the line and column.',
  },
  ERR_ADMIN_CONFLICT: {
    meaning: '`PUT` cannot create a value that already exists.',
    advice: 'Use `PATCH` to replace the existing value.',
  },
  ERR_ADMIN_FORBIDDEN: {
    meaning: 'The admin API rejected a request because of its origin, host, token or client certificate.',
    advice: 'Check `admin.origins`, the token, or the permissions of the client certificate.',
  },
  ERR_ADMIN_PATH: {
    meaning: 'The admin API has no such endpoint or value.',
    advice: 'Correct the path. The message contains the reason. `GET /config/` returns the configuration.',
  },
  ERR_ADMIN_PRECONDITION: {
    meaning: 'The part of the configuration to which `If-Match` refers has changed.',
    advice: 'Read the value again to get the new ETag, and repeat the change.',
  },
  ERR_ADMIN_REFUSED: {
    meaning: 'A configuration was rejected. The previous configuration stays in effect.',
    advice: 'Correct the value. The message contains the path and the reason.',
  },
  ERR_POLICY: {
    meaning: 'A change does not meet the conditions of `admin.policies`.',
    advice:
      'Meet the condition in the message, which also contains the name of the policy. Policies are described in the guide to proposals.',
  },
  ERR_ADMIN_REQUEST: {
    meaning: 'An admin API request has an invalid method, Content-Type or parameter.',
    advice: 'Correct the request. The message describes what is expected.',
  },
  ERR_ADMIN_ROUTE: {
    meaning: 'Two modules register the same admin API route.',
    advice: 'Remove one of the packages that contain the conflicting modules.',
  },
  ERR_ADMIN_UNAVAILABLE: {
    meaning: 'The server is still starting, so the admin API is not ready yet.',
    advice: 'Retry after the number of seconds in `Retry-After`.',
  },
};
