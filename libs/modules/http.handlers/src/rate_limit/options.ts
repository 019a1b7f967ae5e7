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
  match: moduleSets('Matchers for the requests to count. Default: all.', httpMatchers),
  key: string(
    'Key for counting requests, such as `{http.request.remote.host}`. May contain placeholders. If the key has no placeholders, all requests are counted together.',
  ),
  window: duration('Length of the sliding window, at most 24 days. Required.'),
  max_events: integer('Maximum number of requests per key within the window. 0 = reject all requests.', {
    default: 0,
    minimum: 0,
    maximum: 2 ** 31 - 1,
  }),
  ipv4_prefix: integer('Prefix length, in bits, used to group IPv4 addresses in the key. 0 = no grouping.', {
    default: 0,
    minimum: 0,
    maximum: 32,
  }),
  ipv6_prefix: integer(
    'Prefix length, in bits, used to group IPv6 addresses in the key, such as 64. 0 = no grouping.',
    { default: 0, minimum: 0, maximum: 128 },
  ),
  memory: integer(
    'Maximum memory for the zone in bytes, shared by all threads. A key takes 128 bytes (more if it is longer than 28 characters), plus 4 bytes per counted request. Memory is allocated as needed.',
    { default: 64 * 1024 * 1024, minimum: 65_536, maximum: 1024 * 1024 * 1024 },
  ),
});

export const rateLimitOptions = options({
  rate_limits: map(
    'Map of zone names to zones. Zones with the same name share their counts, regardless of where they are configured.',
    zoneOptions,
  ),
  jitter: number(
    'Maximum random increase of Retry-After, as a fraction, so that rejected clients do not all retry at the same time. 0.1 adds up to 10%.',
    { default: 0, minimum: 0, maximum: 1 },
  ),
  sweep_interval: duration('Interval at which keys without recent requests are removed. Default: 1 minute.'),
  distributed: structure(
    'Settings for counting requests across all servers that use the same storage. Counts from other servers arrive with a delay of up to the sum of the write interval, the read interval and 1/15 of the window. During this delay, requests can exceed the limit.',
    options({
      write_interval: duration(
        "Interval at which this server's counts are written to the storage. Default: 5 seconds.",
      ),
      read_interval: duration("Interval at which other servers' counts are read from the storage. Default: 5 seconds."),
      purge_age: duration('Age after which the counts of a stopped server are deleted. Default: 24 hours.'),
    }),
  ),
  storage: inlineModule('Storage for `distributed`. Default: the configured storage.', storages, 'module'),
  log_key: boolean('Include the key when logging a rejected request.', { default: false }),
  disable_metrics: boolean('Disable the metrics of this handler.', { default: false }),
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
