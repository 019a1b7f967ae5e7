import { duration, integer, options, string, strings, type Options } from '@sluice/registry';

export const webdavOptions = options({
  root: string('Root directory. May contain placeholders. Default: {http.vars.root}, otherwise the working directory.'),
  prefix: string(
    'URL path of the root directory, such as `/dav` if the route matches `/dav/*`. May contain placeholders. Other paths fail with 404. Default: `/`.',
  ),
  hide: strings(
    'Files to hide from clients: names, paths, or patterns with `*` and `?`, as in `file_server`. Clients can neither read nor write them. May contain placeholders.',
  ),
  properties: string(
    'Directory for the properties that clients set with PROPPATCH. Default: `webdav` in the data directory.',
  ),
  max_entries: integer(
    'Maximum number of resources in a PROPFIND response. Larger responses fail with 403 for Depth: infinity, so that clients request each collection separately, and with 507 otherwise.',
    { default: 50_000, minimum: 1 },
  ),
  max_locks: integer('Maximum number of locks below the root directory. Additional locks fail with 507.', {
    default: 10_000,
    minimum: 0,
    maximum: 100_000,
  }),
  max_lock_timeout: duration(
    'Maximum lock timeout; also used for locks that request no timeout or an infinite one. Clients can refresh their locks before they expire. Default: 1 hour.',
  ),
});

export type WebdavOptions = Options<typeof webdavOptions>;
