import { duration, integer, options, string, strings, type Options } from '@sluice/registry';

export const webdavOptions = options({
  root: string(
    'Root directory of the WebDAV server. May contain placeholders. Default: {http.vars.root} if it is set, otherwise the working directory.',
  ),
  prefix: string(
    'URL path that corresponds to the root directory, such as `/dav` if the route matches `/dav/*`. May contain placeholders. Requests for other paths fail with status code 404. Default: `/`.',
  ),
  hide: strings(
    'Files to hide from clients: names, paths, or patterns with `*` and `?`, as in `file_server`. Clients can neither read nor write them. May contain placeholders.',
  ),
  properties: string(
    'Directory in which to store the properties that clients set with PROPPATCH. Default: `webdav` in the data directory.',
  ),
  max_entries: integer(
    'Maximum number of resources in a PROPFIND response. Requests that exceed it fail with status code 403 for `Depth: infinity`, so that clients request each collection separately. For other depths, they fail with 507.',
    { default: 50_000, minimum: 1 },
  ),
  max_locks: integer(
    'Maximum number of locks below the root directory. Additional lock requests fail with status code 507.',
    {
      default: 10_000,
      minimum: 0,
      maximum: 100_000,
    },
  ),
  max_lock_timeout: duration(
    'Maximum lock timeout. Also applies if a client requests no timeout or an infinite one. Clients can refresh locks before they expire. Default: 1 hour.',
  ),
});

export type WebdavOptions = Options<typeof webdavOptions>;
