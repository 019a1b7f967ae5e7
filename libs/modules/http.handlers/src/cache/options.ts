/** Options of `http.handlers.cache`. The `cache` app has the same options and sets defaults for all handlers. */
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
      path: string('Directory in which responses are stored.'),
      url: string('Accepted but ignored: there is no external store.'),
      configuration: json("Accepted but ignored: Sluice's stores have no further options."),
    }),
  );

const keyFields = {
  disable_body: boolean('Accepted but ignored: only GET and HEAD requests are cached, and they have no body.'),
  disable_host: boolean('Exclude the host from the cache key.', { default: false }),
  disable_method: boolean('Exclude the method from the cache key.', { default: false }),
  disable_query: boolean('Exclude the query from the cache key.', { default: false }),
  disable_scheme: boolean('Exclude the scheme from the cache key.', { default: false }),
  hash: boolean('Replace the cache key with its SHA-256 hash.', { default: false }),
  hide: boolean('Accepted but ignored: keys are not sent to clients.'),
  headers: strings('Request header fields whose values are added to the cache key.'),
  template: string('Template for the cache key, used instead of the default key. May contain placeholders.'),
};

export const keyOptions = options(keyFields);

const common = {
  allowed_http_verbs: strings('Methods to cache: GET, HEAD, or both. Default: both.'),
  headers: strings('Request header fields whose values are added to every cache key.'),
  key: structure('Settings for the cache key.', keyOptions),
  cache_keys: map(
    'Map of regular expressions (RE2 syntax) to key settings. The first expression that matches the request target applies.',
    keyOptions,
  ),
  timeout: structure(
    'Timeouts for the upstream and for the disk.',
    options({
      backend: duration(
        "Timeout for the upstream's response header. After the timeout, the client gets status code 504. Default: no limit.",
      ),
      cache: duration(
        'Timeout for reading a stored response from disk. After the timeout, the request is sent to the upstream. Default: no limit.',
      ),
    }),
  ),
  ttl: duration(
    'Lifetime of responses that do not specify one. Not applied to requests with cookies. Default: 10% of the time since Last-Modified; responses without Last-Modified are not stored.',
  ),
  stale: duration(
    'Maximum time to keep serving expired responses while the upstream is failing. Responses can override it with `stale-if-error`. Default: 0.',
  ),
  default_cache_control: string('Cache-Control value for responses without a Cache-Control header field.'),
  cache_name: string('Name of the cache in the `Cache-Status` response header field (RFC 9211).', {
    default: 'Sluice',
  }),
  mode: choice(
    'Messages whose Cache-Control header field is ignored: `strict` = none, `bypass_request` = requests, `bypass_response` = responses, `bypass` = both. If the field is ignored in responses, private responses are stored as well.',
    ['strict', 'bypass', 'bypass_request', 'bypass_response'],
    { default: 'strict' },
  ),
  regex: structure(
    'Requests to exclude from caching.',
    options({ exclude: string('Regular expression (RE2 syntax) that matches the paths to exclude.') }),
  ),
  max_cacheable_body_bytes: integer(
    'Maximum size of a response body to store, in bytes. Larger responses are sent to the client but not stored.',
    {
      default: 16 * 1024 * 1024,
      minimum: 0,
    },
  ),
  allowed_additional_status_codes: integers(
    'Additional status codes whose responses are stored even without an explicit lifetime. Always included: 200, 203, 204, 300, 301, 308, 404, 405, 410, 414 and 501.',
  ),
  disable_coalescing: boolean('Send every request to the upstream, even if a request for the same key is in flight.', {
    default: false,
  }),
  targeted: strings(
    'Response header fields that this cache uses instead of Cache-Control and Expires (RFC 9213), in order of priority. Default: CDN-Cache-Control.',
  ),
  memory: integer(
    'Maximum memory in bytes, shared by all threads. Memory is allocated as needed. Each thread also keeps copies of frequently used responses, up to 16 MiB or a quarter of this value, whichever is less.',
    {
      default: 64 * 1024 * 1024,
      minimum: 1024 * 1024,
      maximum: 8 * 1024 * 1024 * 1024,
    },
  ),
  disk: structure(
    'Settings for storing responses on disk in addition to memory. Responses on disk survive restarts.',
    options({
      path: string('Directory, created if it does not exist. Must not be shared with other servers. Required.'),
      size: integer('Maximum total size of the cache files on disk, in bytes.', {
        default: 1024 * 1024 * 1024,
        minimum: 16 * 1024 * 1024,
      }),
    }),
  ),
  storers: strings('Accepted but ignored: see `memory` and `disk`.'),
  log_level: string('Accepted but ignored: set the level in the `logging` section instead.'),
  otter: store('Accepted but ignored: responses are always stored in memory; see `memory`.'),
  badger: store('Store responses on disk, in the directory `path`. See `disk`.'),
  nuts: store('Store responses on disk, in the directory `path`. See `disk`.'),
  simplefs: store('Store responses on disk, in the directory `path`. See `disk`.'),
  etcd: store('Not supported: use `memory` and `disk`.'),
  redis: store('Not supported: use `memory` and `disk`.'),
  olric: store('Not supported: use `memory` and `disk`.'),
  nats: store('Not supported: use `memory` and `disk`.'),
};

export const cacheOptions = options(common);

export const cacheAppOptions = options({
  ...common,
  api: json('Accepted but ignored: the admin API always provides the `/cache` routes.'),
  cdn: json('Accepted but ignored: purging CDNs is not supported.'),
});
