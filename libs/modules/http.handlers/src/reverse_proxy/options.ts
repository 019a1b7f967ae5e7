/** Options of `http.handlers.reverse_proxy`. */
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
  moduleSets,
  options,
  string,
  strings,
  structure,
  weakString,
  type Options,
} from '@sluice/registry';

const loadBalancingOptions = options({
  selection_policy: inlineModule('How an upstream is chosen. Default random.', selectionPolicies, 'policy'),
  retries: integer('How many more upstreams to try. Default 0.'),
  try_duration: duration('How long to try upstreams, in place of retries or besides. Default 0: retries alone count.'),
  try_interval: duration('How long to wait between two tries. Default 250ms where try_duration is set.'),
  retry_match: moduleSets(
    'Requests that may be sent again after other errors than that of connecting. Default: those of idempotent methods (RFC 9110 §9.2.2), whose bodies are kept up to 64 KiB.',
    httpMatchers,
  ),
});

const activeOptions = options({
  path: string('Path to ask for. Deprecated: use uri.'),
  uri: string('Path and query to ask for.'),
  upstream: string('Address to ask in place of the upstream.'),
  port: integer('Port to ask. Default: that of the upstream.'),
  headers: headerMap('Fields of the request.'),
  method: string('Method of the request. Default GET.'),
  body: string('Body of the request.'),
  follow_redirects: boolean('Follow redirects, and judge what they lead to.'),
  interval: duration('Time between checks. Default 30s.'),
  timeout: duration('Longest time for a response. Default 5s.'),
  passes: integer('Good responses in a row that make an upstream healthy. Default 1.'),
  fails: integer('Bad ones in a row that make it unhealthy. Default 1.'),
  max_size: integer('Bytes of the body to read for expect_body. 0: all.'),
  expect_status: integer('Status to expect, or its class: 2 stands for 200 to 299. Default 2.'),
  expect_body: string('Regular expression (RE2 syntax) that the body has to match.'),
});

const passiveOptions = options({
  fail_duration: duration('How long a failed request counts. 0: they are not counted.'),
  max_fails: integer('Failed requests that make an upstream unavailable. Default 1.'),
  unhealthy_request_count: integer('Requests in flight at which an upstream is unavailable. 0: any number.'),
  unhealthy_status: integers('Statuses that count as failures, or classes of them.'),
  unhealthy_latency: duration('Time to the head of a response from which on it counts as a failure. 0: none does.'),
});

const upstreamOptions = options({
  dial: string('Address: `host:port`, `unix//path`; may contain placeholders.', { examples: ['127.0.0.1:3000'] }),
  max_requests: integer('Most requests in flight. 0: any number.'),
});

const headersOptions = options({
  request: structure('Changes of the request to the upstream.', headerOperationOptions),
  response: structure(
    'Changes of the response of the upstream.',
    options({
      ...headerOperationFields,
      require: structure('Change only responses that match.', responseMatcherOptions),
      deferred: boolean('Accepted, no effect: responses are complete when they are changed.'),
    }),
  ),
});

const responseHandlerOptions = options({
  match: structure('Which responses; none: all.', responseMatcherOptions),
  status_code: weakString(
    'Status to pass the response on with; then routes are not run. May be a placeholder. Default: that of the upstream.',
  ),
  routes: list(
    'Routes to run in place of passing the response on. `{http.reverse_proxy.*}` tells about it.',
    routeOptions,
  ),
});

/** Options of the handler. */
export const reverseProxyOptions = options({
  transport: inlineModule('How to speak with upstreams. Default http.', upstreamTransports, 'protocol'),
  circuit_breaker: inlineModule('What keeps requests from upstreams that do badly.', circuitBreakers, 'type'),
  load_balancing: structure('Choice of upstreams, and further tries.', loadBalancingOptions),
  health_checks: structure(
    'How unhealthy upstreams are found.',
    options({
      active: structure('By asking them regularly.', activeOptions),
      passive: structure('By the requests that are proxied.', passiveOptions),
    }),
  ),
  upstreams: list('Upstreams.', upstreamOptions),
  dynamic_upstreams: inlineModule('What finds upstreams while requests come.', upstreamSources, 'source'),
  flush_interval: duration(
    'Other than 0: what came of the body of a response is sent at once, also when it is encoded. Default 0; streams are always sent at once.',
  ),
  trusted_proxies: strings('Ranges of proxies whose X-Forwarded fields are kept.'),
  headers: structure('Changes of header fields.', headersOptions),
  request_buffers: integer(
    'Bytes of a request body to read before it is sent. Negative: all. Default 0; FastCGI, which tells the length first, reads 4096 bytes of a body that came without one, and responds with 411 to those that are longer.',
  ),
  response_buffers: integer(
    'Bytes of the body of a response to read before it is passed on. Negative: all. Default 0.',
  ),
  stream_timeout: duration('Longest time for an upgraded connection. 0: none.'),
  stream_buffer_size: integer('Accepted, no effect: sizes of buffers are not ours to choose.'),
  stream_close_delay: duration(
    'How long upgraded connections may go on when the configuration drops their proxy. 0: no time.',
  ),
  rewrite: structure('Changes of method and target of the request to the upstream.', rewriteOptions),
  handle_response: list('What becomes of responses: the first that matches.', responseHandlerOptions),
  verbose_logs: boolean('Tell of the request too in entries of level debug about what was sent to upstreams.'),
});

/** Checked options. */
export type ReverseProxyConfig = Options<typeof reverseProxyOptions>;
/** Checked options of active health checks. */
export type ActiveConfig = Options<typeof activeOptions>;
/** Checked options of passive health checks. */
export type PassiveConfig = Options<typeof passiveOptions>;
