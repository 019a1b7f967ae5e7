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
    'Time over which the share of requests for a new or recovered upstream increases linearly to its full share. Supported by the random, random_choose, least_conn, round_robin and weighted_round_robin policies. 0 = full share immediately.',
  ),
  max_requests: integer(
    'Maximum number of in-flight requests per upstream, for upstreams that do not set `max_requests`. 0 = no limit.',
    { default: 0, minimum: 0 },
  ),
  queue: integer(
    'Maximum number of requests to queue while all upstreams are at their `max_requests` limit. Queued requests are sent in order of arrival, each to the first upstream that is below its limit. 0 = no queue: requests fail with status code 503.',
    { default: 0, minimum: 0 },
  ),
  queue_timeout: duration(
    'Maximum time that a request waits in the queue before it fails with status code 503. Default: 10s.',
  ),
  retries: integer('Maximum number of retries. Default: 0.'),
  try_duration: duration(
    'Maximum time to keep retrying a request, instead of or in addition to `retries`. Default: 0 = only `retries` applies.',
  ),
  try_interval: duration('Delay between retries. Default: 250ms if try_duration is set.'),
  retry_match: moduleSets(
    'Matchers for requests that may be retried even after a connection was established. Default: requests with idempotent methods (RFC 9110 §9.2.2), whose bodies are buffered up to 64 KiB.',
    httpMatchers,
  ),
});

const activeOptions = options({
  path: string('Path of the health check requests. Deprecated: use `uri`.'),
  uri: string('Path and query of the health check requests.'),
  upstream: string("Address to send health checks to. Default: the upstream's address."),
  port: integer("Port to send health checks to. Default: the upstream's port."),
  headers: headerMap('Header fields of the health check requests.'),
  method: string('Method of the health check requests. Default: GET.'),
  body: string('Body of the health check requests.'),
  follow_redirects: boolean('Follow redirects of health check requests, and evaluate the final response.'),
  interval: duration('Interval between health checks. Default: 30s.'),
  timeout: duration('Timeout for the response to a health check request. Default: 5s.'),
  passes: integer(
    'Number of consecutive successful health checks after which an unhealthy upstream is considered healthy. Default: 1.',
  ),
  fails: integer(
    'Number of consecutive failed health checks after which a healthy upstream is considered unhealthy. Default: 1.',
  ),
  max_size: integer('Maximum number of response body bytes to read for `expect_body`. 0 = no limit.'),
  expect_status: integer('Expected status code or status code class. 2 matches 200 to 299. Default: 2.'),
  expect_body: string('Regular expression (RE2 syntax) that the response body must match.'),
});

const passiveOptions = options({
  fail_duration: duration(
    'Time for which a failed request counts against an upstream. 0 = failed requests are not counted.',
  ),
  max_fails: integer('Number of failed requests at which an upstream is considered unhealthy. Default: 1.'),
  unhealthy_request_count: integer(
    'Number of in-flight requests at which an upstream is considered unavailable. 0 = no limit.',
  ),
  unhealthy_status: integers('Status codes, or status code classes, that count as failures.'),
  unhealthy_latency: duration(
    'Maximum time until the response header is received. A request that takes longer counts as a failure. 0 = no limit.',
  ),
});

const outlierOptions = options({
  consecutive_errors: integer(
    'Number of consecutive errors at which an upstream is ejected. An error is a 5xx response, or no response. 0 = disabled.',
    { default: 5, minimum: 0 },
  ),
  interval: duration('Interval at which success rates are compared. Default: 10s.'),
  base_ejection_time: duration(
    "Duration of an upstream's first ejection. Each further ejection adds this amount to the next duration, and each interval without an ejection subtracts it. Default: 30s.",
  ),
  max_ejection_time: duration('Maximum duration of an ejection. Default: 5m.'),
  max_ejection_percent: integer(
    'Maximum percentage of upstreams that may be ejected at the same time. If greater than 0, at least one upstream can be ejected regardless of the percentage, but never all upstreams.',
    { default: 10, minimum: 0, maximum: 100 },
  ),
  stdev_factor: number(
    'Number of standard deviations below the mean success rate at which an upstream is ejected. 0 = do not compare success rates.',
    { default: 1.9, minimum: 0 },
  ),
  min_requests: integer(
    'Minimum number of requests that an upstream must receive in an interval for its success rate to be compared.',
    {
      default: 100,
      minimum: 1,
    },
  ),
  min_upstreams: integer(
    'Minimum number of upstreams with at least `min_requests` requests. If there are fewer such upstreams, success rates are not compared.',
    {
      default: 5,
      minimum: 2,
    },
  ),
});

export const upstreamOptions = options({
  dial: string('Upstream address: `host:port` or `unix//path`. May contain placeholders.', {
    examples: ['127.0.0.1:3000'],
  }),
  max_requests: integer('Maximum number of in-flight requests to the upstream. 0 = no limit.'),
});

const headersOptions = options({
  request: structure('Changes to the header fields of the upstream request.', headerOperationOptions),
  response: structure(
    'Changes to the header fields of the upstream response.',
    options({
      ...headerOperationFields,
      require: structure(
        'Matcher that selects the responses to modify. Default: all responses.',
        responseMatcherOptions,
      ),
      deferred: boolean('Accepted but ignored: changes always apply to the complete response header.'),
    }),
  ),
});

const responseHandlerOptions = options({
  match: structure(
    'Matcher for the responses that these options apply to. Default: all responses.',
    responseMatcherOptions,
  ),
  status_code: weakString(
    "Response status code. If set, `routes` is ignored. May be a placeholder. Default: the upstream's status code.",
  ),
  routes: list(
    'Routes to run instead of returning the upstream response. `{http.reverse_proxy.*}` placeholders describe the response.',
    routeOptions,
  ),
});

export const reverseProxyOptions = options({
  transport: inlineModule('Transport to upstreams. Default: http.', upstreamTransports, 'protocol'),
  circuit_breaker: inlineModule(
    'Circuit breaker, which stops sending requests to failing upstreams.',
    circuitBreakers,
    'type',
  ),
  load_balancing: structure('Load balancing and retry settings.', loadBalancingOptions),
  health_checks: structure(
    'Settings for health checks of the upstreams.',
    options({
      active: structure(
        'Active health checks, which send requests to the upstreams at regular intervals.',
        activeOptions,
      ),
      passive: structure('Passive health checks, which are based on the outcome of proxied requests.', passiveOptions),
      outlier_detection: structure(
        'Outlier detection: temporarily ejects an upstream whose requests fail more often than those of the other upstreams.',
        outlierOptions,
      ),
    }),
  ),
  upstreams: list('Upstreams to which requests are sent.', upstreamOptions),
  dynamic_upstreams: inlineModule(
    'Dynamic upstream sources, which discover upstreams for each request.',
    upstreamSources,
    'source',
  ),
  flush_interval: duration(
    'Flush interval for responses. Any value other than 0 flushes after each write, even if the response is compressed. Streaming responses are always flushed immediately. Default: 0.',
  ),
  sse_keepalive: duration(
    'Idle time after which a comment is sent on an event stream (`text/event-stream`), so that intermediate proxies do not close the connection. Comments are sent only between events. Streams that the upstream compresses, or sends with a Content-Length, are not changed. Default: 0 = no comments.',
  ),
  trusted_proxies: strings('IP ranges of proxies whose X-Forwarded-* header fields are trusted.'),
  headers: structure('Changes to the header fields of upstream requests and responses.', headersOptions),
  request_buffers: integer(
    'Number of request body bytes to buffer before the request is sent to the upstream. Negative = the whole body. Default: 0. FastCGI requires the length in advance, so up to 4096 bytes are buffered if the length is unknown. Longer bodies of unknown length fail with status code 411.',
  ),
  response_buffers: integer(
    'Number of response body bytes to buffer before the response is sent to the client. Negative = the whole body. Default: 0.',
  ),
  stream_timeout: duration('Maximum lifetime of an upgraded connection, such as a WebSocket. 0 = no limit.'),
  stream_buffer_size: integer('Accepted but ignored: buffer sizes cannot be configured.'),
  stream_close_delay: duration(
    'Time for which upgraded connections stay open after a configuration change removes or replaces their `reverse_proxy` handler. 0 = close immediately.',
  ),
  rewrite: structure('Changes to the method and URI of the upstream request.', rewriteOptions),
  handle_response: list('Response handlers. The first entry that matches applies.', responseHandlerOptions),
  verbose_logs: boolean("Include the client's request in debug log entries about upstream requests."),
});

/** Validated options. */
export type ReverseProxyConfig = Options<typeof reverseProxyOptions>;
/** Validated options of active health checks. */
export type ActiveConfig = Options<typeof activeOptions>;
/** Validated options of outlier detection. */
export type OutlierConfig = Options<typeof outlierOptions>;
/** Validated options of passive health checks. */
export type PassiveConfig = Options<typeof passiveOptions>;
