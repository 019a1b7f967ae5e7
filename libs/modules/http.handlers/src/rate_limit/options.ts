import { httpMatchers } from '@sluice/http-app';
import { storages } from '@sluice/contracts';
import {
  boolean,
  choice,
  duration,
  inlineModule,
  integer,
  map,
  moduleSets,
  number,
  options,
  string,
  structure,
} from '@sluice/registry';

export const zoneOptions = options({
  match: moduleSets('Requests to count. Default: all.', httpMatchers),
  key: string(
    'Key to count events by, such as `{http.request.remote.host}`. May contain placeholders. A key without placeholders is one limit for all requests.',
  ),
  window: duration('Length of the sliding window, at most 24 days. Required.'),
  max_events: integer('Maximum number of requests per key within any window. 0 rejects all of them.', {
    default: 0,
    minimum: 0,
    maximum: 2 ** 31 - 1,
  }),
  ipv4_prefix: integer(
    'Number of leading bits by which IPv4 addresses are grouped if the key is an address. 0 = by address.',
    { default: 0, minimum: 0, maximum: 32 },
  ),
  ipv6_prefix: integer(
    'Number of leading bits by which IPv6 addresses are grouped if the key is an address, such as 64. 0 = by address.',
    { default: 0, minimum: 0, maximum: 128 },
  ),
  memory: integer(
    'Maximum memory of the zone in bytes, shared by all threads. Uses 128 bytes per key, 4 per event, and more for keys over 28 characters. Unused memory is not allocated.',
    { default: 64 * 1024 * 1024, minimum: 65_536, maximum: 1024 * 1024 * 1024 },
  ),
});

export const rateLimitOptions = options({
  rate_limits: map(
    'Zones by name. Zones with the same name share their events, wherever they are configured.',
    zoneOptions,
  ),
  jitter: number(
    'Fraction by which Retry-After is randomly extended, so that rejected clients do not all return at the same time. 0.1 adds up to 10 percent.',
    { default: 0, minimum: 0, maximum: 1 },
  ),
  sweep_interval: duration('Interval between removals of keys without events. Default: 1 minute.'),
  distributed: structure(
    'Count events across all servers that use the same storage. The limit may be exceeded by what other servers allow within one write and one read interval, plus one fifteenth of the window.',
    options({
      write_interval: duration("Interval between writes of this server's counts to the storage. Default: 5 seconds."),
      read_interval: duration('Interval between reads of the counts of other servers. Default: 5 seconds.'),
      purge_age: duration('Age after which the counts of a stopped server are deleted. Default: 24 hours.'),
    }),
  ),
  storage: inlineModule('Storage for `distributed`. Default: the configured storage.', storages, 'module'),
  log_key: boolean('Log the key of rejected requests.', { default: false }),
  disable_metrics: boolean('Exclude this handler from metrics.', { default: false }),
  headers: boolean(
    'Add the response header fields RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers).',
    { default: false },
  ),
  when_full: choice(
    'Handling of new keys while the memory of the zone is exhausted: allow requests uncounted, or reject them.',
    ['allow', 'reject'],
    { default: 'allow' },
  ),
});
