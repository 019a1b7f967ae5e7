/** Options of `http.handlers.cache`, and of the `cache` app, which sets defaults for all handlers. */
import {
  boolean,
  choice,
  duration,
  integer,
  integers,
  json,
  map,
  options,
  string,
  strings,
  structure,
} from '@sluice/registry';

const store = (help: string) =>
  structure(
    help,
    options({
      path: string('Directory of the store.'),
      url: string('Address of the store.'),
      configuration: json("Accepted but ignored: Sluice's stores have no further options."),
    }),
  );

const keyFields = {
  disable_body: boolean('Accepted but ignored: only GET and HEAD requests are cached, and they have no body.'),
  disable_host: boolean('Exclude the host from the key.', { default: false }),
  disable_method: boolean('Exclude the method from the key.', { default: false }),
  disable_query: boolean('Exclude the query from the key.', { default: false }),
  disable_scheme: boolean('Exclude the scheme from the key.', { default: false }),
  hash: boolean('Replace the key with its SHA-256 hash.', { default: false }),
  hide: boolean('Accepted but ignored: keys are not sent to clients.'),
  headers: strings('Request header fields whose values are added to the key.'),
  template: string('Template that replaces the key. May contain placeholders.'),
};

/** Parts of a key. */
export const keyOptions = options(keyFields);

/** Options that the handler and the app have in common. */
const common = {
  allowed_http_verbs: strings('Methods to cache: GET, HEAD, or both. Default: both.'),
  headers: strings('Request header fields whose values are added to every cache key.'),
  key: structure('Components of the key.', keyOptions),
  cache_keys: map(
    'Key settings by regular expression (RE2 syntax) for the request target. The first match applies.',
    keyOptions,
  ),
  timeout: structure(
    'Timeouts.',
    options({
      backend: duration(
        "Timeout for the upstream's response header; when it expires, the status is 504. Default: no limit.",
      ),
      cache: duration(
        'Timeout for reading a stored response from disk; when it expires, the request goes to the upstream. Default: no limit.',
      ),
    }),
  ),
  ttl: duration(
    'Lifetime of responses that do not specify one, unless the request has cookies. Default: a tenth of the time since Last-Modified; responses without Last-Modified are not stored.',
  ),
  stale: duration(
    'Maximum time to serve expired responses while the upstream is failing. Responses can override it with `stale-if-error`. Default: 0.',
  ),
  default_cache_control: string('Cache-Control value for responses that have none.'),
  cache_name: string('Name of the cache in the response field Cache-Status (RFC 9211).', { default: 'Sluice' }),
  mode: choice(
    'Cache-Control fields to ignore: none, of requests, of responses, or of both. Ignoring those of responses stores private responses.',
    ['strict', 'bypass', 'bypass_request', 'bypass_response'],
    { default: 'strict' },
  ),
  regex: structure(
    'Requests that are not cached.',
    options({ exclude: string('Regular expression (RE2 syntax) for paths.') }),
  ),
  max_cacheable_body_bytes: integer(
    'Maximum size of a stored body, in bytes. Larger bodies are passed on but not stored.',
    {
      default: 16 * 1024 * 1024,
      minimum: 0,
    },
  ),
  allowed_additional_status_codes: integers(
    'Additional statuses to store even without an explicit lifetime. Always included: 200, 203, 204, 300, 301, 308, 404, 405, 410, 414 and 501.',
  ),
  disable_coalescing: boolean('Send every request to the upstream, even if a request for the same key is in flight.', {
    default: false,
  }),
  targeted: strings(
    'Response header fields that replace Cache-Control and Expires for this cache (RFC 9213), by priority. Default: CDN-Cache-Control.',
  ),
  memory: integer(
    'Maximum memory in bytes, shared by all threads. Memory is allocated only when it is needed. Each thread also keeps up to 16 MiB of frequently used responses, or a quarter of this value if that is less.',
    {
      default: 64 * 1024 * 1024,
      minimum: 1024 * 1024,
      maximum: 8 * 1024 * 1024 * 1024,
    },
  ),
  disk: structure(
    'Also store responses on disk. They survive restarts.',
    options({
      path: string('Directory. Created if necessary; must not be shared with other servers. Required.'),
      size: integer('Maximum size of all files in bytes.', { default: 1024 * 1024 * 1024, minimum: 16 * 1024 * 1024 }),
    }),
  ),
  storers: strings('Accepted but ignored: see `memory` and `disk`.'),
  log_level: string('Accepted but ignored: the levels of loggers apply.'),
  otter: store('Accepted but ignored: responses are always stored in memory; see `memory`.'),
  badger: store('Store responses on disk, in the directory `path`. See `disk`.'),
  nuts: store('Store responses on disk, in the directory `path`. See `disk`.'),
  simplefs: store('Store responses on disk, in the directory `path`. See `disk`.'),
  etcd: store('Not supported.'),
  redis: store('Not supported.'),
  olric: store('Not supported.'),
  nats: store('Not supported.'),
};

/** Options of the handler. */
export const cacheOptions = options(common);

export const cacheAppOptions = options({
  ...common,
  api: json('Accepted but ignored: the admin API provides routes below /cache.'),
  cdn: json('Accepted but ignored: purging CDNs is not supported.'),
});
