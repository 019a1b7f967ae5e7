/** Describes the directive `rate_limit`. */
import type { Description } from '@sluice/caddyfile/contribute';

export const rateLimit: Description = {
  syntax: ['rate_limit [<matcher>]'],
  summary: 'Limits the number of requests per key within a sliding window. Requests above the limit get status 429.',
  options: [
    {
      syntax: 'zone <name>',
      summary: 'Defines a limit. Zones with the same name share their counts.',
      options: [
        {
          syntax: 'match …',
          summary:
            'Limits only requests that match all matchers of the line or block. If repeated, any of them can match.',
          block: 'matchers',
        },
        {
          syntax: 'key <key>',
          summary:
            'Counts requests separately for each value, such as `{remote_host}`. Default: one limit for all requests.',
        },
        { syntax: 'window <duration>', summary: 'Length of the sliding window, at most 24 days. Required.' },
        { syntax: 'events <number>', summary: 'Maximum number of requests per key within the window. Required.' },
        {
          syntax: 'ipv4_prefix <bits>',
          summary: 'Number of leading bits that group IPv4 addresses. Default: every address separately.',
        },
        {
          syntax: 'ipv6_prefix <bits>',
          summary: 'Number of leading bits that group IPv6 addresses, such as 64. Default: every address separately.',
        },
        { syntax: 'memory <bytes>', summary: 'Maximum memory of the zone, in bytes. Default: 64 MiB.' },
      ],
    },
    {
      syntax: 'distributed',
      summary: 'Counts requests across all servers that share the storage.',
      options: [
        {
          syntax: 'read_interval <duration>',
          summary: 'Interval at which the counts of other servers are read. Default: 5s.',
        },
        {
          syntax: 'write_interval <duration>',
          summary: 'Interval at which this server writes its counts. Default: 5s.',
        },
        {
          syntax: 'purge_age <duration>',
          summary: 'Age at which the counts of a stopped server are deleted. Default: 24h.',
        },
      ],
    },
    {
      syntax: 'storage <module> …',
      summary: 'Storage for `distributed`. Default: the global storage.',
      module: 'caddy.storage',
    },
    { syntax: 'jitter <fraction>', summary: 'Extends Retry-After randomly: 0.1 adds up to 10 percent.' },
    { syntax: 'sweep_interval <duration>', summary: 'Interval at which idle keys are removed. Default: 1m.' },
    {
      syntax: 'when_full allow|reject',
      summary: 'Handling of new keys when the memory is exhausted. Default: allow.',
    },
    { syntax: 'log_key', summary: 'Logs the key of rejected requests.' },
    { syntax: 'disable_metrics', summary: 'Excludes the handler from the metrics.' },
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
