import {
  circuitBreakers,
  headerOperationFields,
  headerOperationOptions,
  httpMatchers,
  responseMatcherOptions,
  rewriteOptions,
  routeOptions,
  selectionPolicies,
  upstreamSources,
  upstreamTransports,
} from '@sluice/http-app';
import {
  boolean,
  duration,
  headerMap,
  inlineModule,
  integer,
  integers,
  list,
  number,
  moduleSets,
  options,
  string,
  strings,
  structure,
  weakString,
  type Options,
} from '@sluice/registry';

const loadBalancingOptions = options({
  selection_policy: inlineModule('Load balancing policy. Default: random.', selectionPolicies, 'policy'),
  slow_start: duration(
    "Time over which a new or recovered upstream's share of requests grows linearly to the full share. Applies to the policies random, random_choose, least_conn, round_robin and weighted_round_robin. 0 = full share immediately.",
  ),
  max_requests: integer(
    'Maximum number of requests in flight per upstream, for upstreams without a `max_requests` of their own. 0 = no limit.',
    { default: 0, minimum: 0 },
  ),
  queue: integer(
    'Maximum number of requests that wait while all upstreams are at their limit of requests in flight. They are sent in order of arrival, each to the first upstream with a free slot. 0 = no queue: requests fail with 503.',
    { default: 0, minimum: 0 },
  ),
  queue_timeout: duration('Maximum time that a request waits in the queue. Then it fails with 503. Default: 10s.'),
  retries: integer('Maximum number of retries. Default: 0.'),
  try_duration: duration(
    'Maximum time to retry, instead of or in addition to `retries`. Default: 0 = only `retries` applies.',
  ),
  try_interval: duration('Delay between retries. Default: 250ms if try_duration is set.'),
  retry_match: moduleSets(
    'Requests that may be retried after errors other than failed connections. Default: requests with idempotent methods (RFC 9110 §9.2.2). Their bodies are buffered up to 64 KiB.',
    httpMatchers,
  ),
});

const activeOptions = options({
  path: string('Request path. Deprecated: use uri.'),
  uri: string('Request path and query.'),
  upstream: string('Address to check instead of the upstream address.'),
  port: integer('Port to check. Default: the upstream port.'),
  headers: headerMap('Request header fields.'),
  method: string('Request method. Default: GET.'),
  body: string('Request body.'),
  follow_redirects: boolean('Follow redirects, and evaluate the final response.'),
  interval: duration('Interval between checks. Default: 30s.'),
  timeout: duration('Response timeout. Default: 5s.'),
  passes: integer('Number of consecutive passed checks before an upstream is considered healthy. Default: 1.'),
  fails: integer('Number of consecutive failed checks before an upstream is considered unhealthy. Default: 1.'),
  max_size: integer('Maximum number of body bytes to read for expect_body. 0 = no limit.'),
  expect_status: integer('Expected status or status class: 2 stands for 200 to 299. Default: 2.'),
  expect_body: string('Regular expression (RE2 syntax) that the body must match.'),
});

const passiveOptions = options({
  fail_duration: duration('Time for which a failed request is counted. 0 = failed requests are not counted.'),
  max_fails: integer('Number of failed requests at which an upstream is unavailable. Default: 1.'),
  unhealthy_request_count: integer(
    'Number of in-flight requests at which an upstream counts as unavailable. 0 = no limit.',
  ),
  unhealthy_status: integers('Statuses, or status classes, that count as failures.'),
  unhealthy_latency: duration('Time to the response header above which a response counts as a failure. 0 = disabled.'),
});

const outlierOptions = options({
  consecutive_errors: integer(
    'Number of consecutive errors at which an upstream is ejected. A 5xx response or a missing response is an error. 0 = disabled.',
    { default: 5, minimum: 0 },
  ),
  interval: duration('Interval between comparisons of success rates. Default: 10s.'),
  base_ejection_time: duration(
    'Duration of the first ejection of an upstream. Each further ejection is longer by this time, and each interval without an ejection makes the next one shorter by it. Default: 30s.',
  ),
  max_ejection_time: duration('Maximum ejection time. Default: 5m.'),
  max_ejection_percent: integer(
    'Maximum percentage of upstreams that are ejected at the same time. Unless it is 0, one upstream may always be ejected, but never all of them.',
    { default: 10, minimum: 0, maximum: 100 },
  ),
  stdev_factor: number(
    'Number of standard deviations below the mean at which a success rate is too low. 0 = do not compare success rates.',
    { default: 1.9, minimum: 0 },
  ),
  min_requests: integer("Minimum number of requests per interval for an upstream's success rate to be compared.", {
    default: 100,
    minimum: 1,
  }),
  min_upstreams: integer('Minimum number of upstreams with enough requests for success rates to be compared.', {
    default: 5,
    minimum: 2,
  }),
});

export const upstreamOptions = options({
  dial: string('Address: `host:port` or `unix//path`. May contain placeholders.', { examples: ['127.0.0.1:3000'] }),
  max_requests: integer('Maximum number of requests in flight. 0 = no limit.'),
});

const headersOptions = options({
  request: structure('Changes to the upstream request.', headerOperationOptions),
  response: structure(
    'Changes to the upstream response.',
    options({
      ...headerOperationFields,
      require: structure('Change only responses that match.', responseMatcherOptions),
      deferred: boolean('Accepted but ignored: changes always apply to the complete response header.'),
    }),
  ),
});

const responseHandlerOptions = options({
  match: structure('Responses to match. Default: all.', responseMatcherOptions),
  status_code: weakString(
    'Response status; routes are not run if it is set. May be a placeholder. Default: the upstream status.',
  ),
  routes: list(
    'Routes to run instead of returning the upstream response. `{http.reverse_proxy.*}` describes the response.',
    routeOptions,
  ),
});

export const reverseProxyOptions = options({
  transport: inlineModule('Transport to upstreams. Default: http.', upstreamTransports, 'protocol'),
  circuit_breaker: inlineModule('Circuit breaker, which stops requests to failing upstreams.', circuitBreakers, 'type'),
  load_balancing: structure('Load balancing and retries.', loadBalancingOptions),
  health_checks: structure(
    'Health checks.',
    options({
      active: structure('Active health checks, which probe upstreams regularly.', activeOptions),
      passive: structure('Passive health checks, which evaluate proxied requests.', passiveOptions),
      outlier_detection: structure(
        'Outlier detection: ejects an upstream for some time if its requests fail more often than those of the others.',
        outlierOptions,
      ),
    }),
  ),
  upstreams: list('Upstreams.', upstreamOptions),
  dynamic_upstreams: inlineModule(
    'Dynamic upstream sources, which discover upstreams for each request.',
    upstreamSources,
    'source',
  ),
  flush_interval: duration(
    'Flush interval. Any value other than 0 flushes after each write, even if the response is encoded. Default: 0. Streams are always flushed immediately.',
  ),
  sse_keepalive: duration(
    'Idle time of an event stream (`text/event-stream`) after which the client gets a comment, so that other proxies do not close the connection. Comments are sent only between events. Streams that the upstream compresses or sends with a Content-Length are not changed. Default: 0 = no comments.',
  ),
  trusted_proxies: strings('IP ranges of proxies whose X-Forwarded fields are trusted.'),
  headers: structure('Changes to header fields.', headersOptions),
  request_buffers: integer(
    'Number of bytes of a request body to buffer before the request is sent. Negative = the whole body. Default: 0. FastCGI needs the length in advance, so it buffers up to 4096 bytes of a body of unknown length. Longer bodies fail with 411.',
  ),
  response_buffers: integer(
    'Number of bytes of a response body to buffer before the response is sent. Negative = the whole body. Default: 0.',
  ),
  stream_timeout: duration('Maximum lifetime of an upgraded connection. 0 = no limit.'),
  stream_buffer_size: integer('Accepted but ignored: buffer sizes cannot be configured.'),
  stream_close_delay: duration(
    'Time for which upgraded connections stay open after a configuration change removes their proxy. 0 = close immediately.',
  ),
  rewrite: structure('Changes to the method and URI of the upstream request.', rewriteOptions),
  handle_response: list('Response handlers. The first entry that matches applies.', responseHandlerOptions),
  verbose_logs: boolean('Include the request in debug log entries about upstream requests.'),
});

/** Validated options. */
export type ReverseProxyConfig = Options<typeof reverseProxyOptions>;
/** Validated options of active health checks. */
export type ActiveConfig = Options<typeof activeOptions>;
/** Validated options of outlier detection. */
export type OutlierConfig = Options<typeof outlierOptions>;
/** Validated options of passive health checks. */
export type PassiveConfig = Options<typeof passiveOptions>;
