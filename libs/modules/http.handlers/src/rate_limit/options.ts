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
    'Key by which to count requests, such as `{http.request.remote.host}`. May contain placeholders. A key without placeholders applies to all requests together.',
  ),
  window: duration('Length of the sliding window, at most 24 days. Required.'),
  max_events: integer('Maximum number of requests per key within the window. 0 = reject all.', {
    default: 0,
    minimum: 0,
    maximum: 2 ** 31 - 1,
  }),
  ipv4_prefix: integer(
    'If the key is an IPv4 address, number of leading bits by which addresses are grouped. 0 = by full address.',
    { default: 0, minimum: 0, maximum: 32 },
  ),
  ipv6_prefix: integer(
    'If the key is an IPv6 address, number of leading bits by which addresses are grouped, such as 64. 0 = by full address.',
    { default: 0, minimum: 0, maximum: 128 },
  ),
  memory: integer(
    'Maximum memory of the zone in bytes, shared by all threads. Uses 128 bytes per key, 4 per counted request, and more for keys over 28 characters. Memory is allocated only when it is needed.',
    { default: 64 * 1024 * 1024, minimum: 65_536, maximum: 1024 * 1024 * 1024 },
  ),
});

export const rateLimitOptions = options({
  rate_limits: map(
    'Zones by name. Zones with the same name share their counts, regardless of where they are configured.',
    zoneOptions,
  ),
  jitter: number(
    'Fraction by which Retry-After is randomly extended, so that rejected clients do not all retry at the same time. 0.1 adds up to 10 percent.',
    { default: 0, minimum: 0, maximum: 1 },
  ),
  sweep_interval: duration('Interval between removals of keys without requests. Default: 1 minute.'),
  distributed: structure(
    'Count requests across all servers that use the same storage. The limit can be exceeded by the requests that other servers allow within one write interval, one read interval and one fifteenth of the window.',
    options({
      write_interval: duration("Interval between writes of this server's counts to the storage. Default: 5 seconds."),
      read_interval: duration("Interval between reads of other servers' counts. Default: 5 seconds."),
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
    "Behavior for new keys while the zone's memory is exhausted: allow requests without counting them, or reject them.",
    ['allow', 'reject'],
    { default: 'allow' },
  ),
});
