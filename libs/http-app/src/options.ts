/** Options of a server of the `http` app. */
import {
  boolean,
  choice,
  duration,
  inlineModule,
  inlineModules,
  integer,
  list,
  map,
  namespace,
  options,
  orNull,
  string,
  strings,
  structure,
  Type,
  type Namespace,
} from '@sluice/registry';
import { policyOptions } from '@sluice/contracts';
import { listenerWrappers } from './listener/wrapper.ts';
import { routeOptions } from './routing/route.ts';

/** A source of IP ranges, such as `static`; tells whether a proxy is trusted. */
export interface IpSource {
  /** Whether an address is in the ranges as they are now. */
  contains(address: string): boolean;
}

/** `http.ip_sources`: inline key `source`. */
export const ipSources: Namespace<IpSource> = namespace<IpSource>('http.ip_sources');

/** Namespaces that hosts of later issues fill; named here so that their options are known. */
const packetConnWrappers: Namespace<object> = namespace<object>('caddy.packetconns');

const errorOptions = options({
  routes: list(
    'Routes that handle errors raised by the primary routes. `{http.error.*}` tells which.',
    orNull(routeOptions),
  ),
});

const automaticHttpsOptions = options({
  disable: boolean('Turn everything automatic about HTTPS off for this server.'),
  disable_redirects: boolean('Make no redirects from HTTP to HTTPS.'),
  disable_certificates: boolean('Obtain no certificates.'),
  skip: strings('Names to leave out altogether.'),
  skip_certificates: strings('Names to obtain no certificates for.'),
  ignore_loaded_certificates: boolean('Obtain certificates also for names that a loaded certificate covers.'),
});

/** Options of access logs. */
export const logOptions = options({
  default_logger_name: string('Name of the access logger.'),
  logger_names: map(
    'Host, exact or `*.example.com`, -> name of its access logger, or list of names.',
    Type.Union([Type.String(), Type.Array(Type.String())]),
  ),
  skip_hosts: strings('Hosts whose requests are not logged.'),
  skip_unmapped_hosts: boolean('Log only hosts that logger_names has.'),
  should_log_credentials: boolean('Log header fields that carry credentials.'),
  trace: boolean('Log each handler that runs, with its options, at level debug.'),
});

/** Metrics of requests, options of a server or of the app. */
const metricsOptions = options({
  per_host: boolean('A series per host.'),
  observe_catchall_hosts: boolean('A series per host also for hosts that no route names.'),
  otlp: boolean('Not used, and warned of: collect the metrics from `/metrics`.'),
});

const errorPages =
  'Whether clients whose Accept names HTML get a page for errors that no route responds to; others get an empty body, as of the reference.';

/** Options of one server. */
export const serverOptions = options({
  listen: strings('Addresses to listen on: `host:port`, `:8080`, `:8000-8010`, `[::1]:80`, `unix//run/s.sock`.', {
    examples: [[':8080']],
  }),
  listener_wrappers: inlineModules(
    'Wrappers around accepted connections, outermost first.',
    listenerWrappers,
    'wrapper',
  ),
  packet_conn_wrappers: inlineModules(
    'Accepted, no effect: there are no such modules yet. Wrappers around packet connections, outermost first.',
    packetConnWrappers,
    'wrapper',
  ),
  read_timeout: duration('Longest time for a request to arrive. 0: none.'),
  read_header_timeout: duration('Longest time for the head of a request to arrive. Default 1m.'),
  read_idle_timeout: duration('Longest pause of a client that sends a request body. Default 1m; negative: none.'),
  read_min_rate: integer(
    'Bytes a second of a request body: read_idle_timeout is then for all of it, and each byte buys more time. 0: none.',
  ),
  write_timeout: duration('Longest time for a response to be written. 0: none.'),
  write_idle_timeout: duration('Longest pause of a client that takes a response. Default 1m; negative: none.'),
  write_min_rate: integer(
    'Bytes a second of a response: write_idle_timeout is then for all of it, and each byte buys more time. 0: none.',
  ),
  max_write_chunk: integer('So many bytes that wait to be sent count as progress of the client. Default 65536.'),
  idle_timeout: duration('Longest time that a kept connection waits for a request. Default 5m.'),
  keepalive_interval: duration('Time between TCP keep-alive probes. Default 15s; negative: no probes.'),
  keepalive_idle: duration(
    'Accepted, no effect: Node sets it with keepalive_interval. Quiet time before the first TCP keep-alive probe.',
  ),
  keepalive_count: integer(
    'Accepted, no effect: the system decides. Probes without response after which the connection is dropped.',
  ),
  max_header_bytes: integer('Largest head of a request, in bytes. Default 16384.'),
  enable_full_duplex: boolean('Let handlers read the request body while they respond over HTTP/1.1.'),
  expected_underscore_headers: strings(
    'Request fields with underscores to keep, such as `x_user`, or `webhook_*` for all that begin so. Other fields with underscores are dropped, and so are other forms of these names (`x-user`) and repeated fields.',
  ),
  expected_dot_headers: strings(
    'Request fields with dots to keep, with the same rules as expected_underscore_headers.',
  ),
  routes: list('Routes, in order; null for one that does nothing.', orNull(routeOptions)),
  errors: structure('What handles errors.', errorOptions),
  named_routes: map('Routes that `invoke` runs by name.', routeOptions),
  tls_connection_policies: list(
    'How to speak TLS, by connection: the first policy whose matchers match is for it.',
    policyOptions,
  ),
  automatic_https: structure('What is automatic about HTTPS.', automaticHttpsOptions),
  strict_sni_host: boolean('Refuse requests whose host is not the name of the TLS handshake.'),
  trusted_proxies: inlineModule('Proxies whose client address fields are believed.', ipSources, 'source'),
  client_ip_headers: strings('Fields that name the client, in order of preference. Default X-Forwarded-For.'),
  trusted_proxies_strict: integer(
    'Read X-Forwarded-For from the right, up to the first address that is not trusted. 1: on. Default 0: from the left.',
  ),
  trusted_proxies_unix: boolean('Trust peers on Unix sockets.'),
  logs: structure('Access logs.', logOptions),
  protocols: strings(
    'Protocols: h1, h2, h2c, h3. Default: h1 and h2. h3 listens on UDP at the same port and requires TLS.',
  ),
  listen_protocols: list(
    'Protocols of plain connections per address of `listen`, as many lists as there are addresses; null or empty for those of the server. TLS offers what the server has.',
    orNull(strings('Protocols: h1, h2, h2c.')),
  ),
  allow_0rtt: boolean('Accepted, no effect: Node has no early data of TLS 1.3.'),
  metrics: structure('Metrics of requests.', metricsOptions),
  error_pages: choice(`${errorPages} Default: as the app says.`, ['on', 'off']),
});

/** Options of the app. */
export const httpOptions = options({
  http_port: integer('Port of HTTP. Default 80.'),
  https_port: integer('Port of HTTPS. Default 443.'),
  grace_period: duration('How long requests in flight may go on when a listener is given up. 0: as long as they want.'),
  shutdown_delay: duration('How long to go on serving before a server stops. Default 0.'),
  servers: map('Servers by name.', serverOptions),
  metrics: structure('Metrics of requests.', metricsOptions),
  error_pages: choice(errorPages, ['on', 'off'], { default: 'on' }),
});
