/** Describes the directive `rate_limit`. */
import type { Description } from '@sluice/caddyfile/contribute';

export const rateLimit: Description = {
  syntax: ['rate_limit [<matcher>]'],
  summary: 'Rejects requests with status 429 that exceed a number of requests per key within a sliding window.',
  options: [
    {
      syntax: 'zone <name>',
      summary: 'Defines a limit. Zones of one name share their events.',
      options: [
        { syntax: 'match', summary: 'Counts only requests that match all matchers of this block. Can be repeated.' },
        {
          syntax: 'key <key>',
          summary: 'Counts requests per value, such as `{remote_host}`. Default: one limit for all.',
        },
        { syntax: 'window <duration>', summary: 'Length of the sliding window, at most 24 days. Required.' },
        { syntax: 'events <number>', summary: 'Maximum number of requests per key within any window. Required.' },
        { syntax: 'ipv4_prefix <bits>', summary: 'Groups IPv4 addresses by their leading bits. Default: by address.' },
        { syntax: 'ipv6_prefix <bits>', summary: 'Groups IPv6 addresses by their leading bits, such as 64.' },
        { syntax: 'memory <bytes>', summary: 'Maximum memory of the zone. Default: 64 MiB.' },
      ],
    },
    {
      syntax: 'distributed',
      summary: 'Counts requests over all servers that use the same storage.',
      options: [
        { syntax: 'read_interval <duration>', summary: 'Interval between reads of other counts. Default: 5s.' },
        { syntax: 'write_interval <duration>', summary: 'Interval between writes of own counts. Default: 5s.' },
        {
          syntax: 'purge_age <duration>',
          summary: 'Age at which counts of stopped servers are deleted. Default: 24h.',
        },
      ],
    },
    { syntax: 'storage <module>', summary: 'Storage for `distributed`. Default: the storage of the configuration.' },
    { syntax: 'jitter <fraction>', summary: 'Extends Retry-After randomly: 0.1 adds up to 10 percent.' },
    { syntax: 'sweep_interval <duration>', summary: 'Interval between removals of idle keys. Default: 1m.' },
    {
      syntax: 'when_full allow|reject',
      summary: 'Treatment of new keys while the memory is exhausted. Default: allow.',
    },
    { syntax: 'log_key', summary: 'Logs the key of rejected requests.' },
    { syntax: 'disable_metrics', summary: 'Leaves the handler out of the metrics.' },
    { syntax: 'headers', summary: 'Adds the response fields RateLimit-Policy and RateLimit.' },
  ],
  example: `:8080 {
	rate_limit {
		zone per_client {
			key {remote_host}
			window 1m
			events 100
		}
	}
	respond "Hello"
}
`,
};
