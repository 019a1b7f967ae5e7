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

/** A source of IP ranges, for example `static`; determines whether a proxy is trusted. */
export interface IpSource {
  /** Reports whether an address is in the current ranges. */
  contains(address: string): boolean;
}

/** Namespace `http.ip_sources`; inline key `source`. */
export const ipSources: Namespace<IpSource> = namespace<IpSource>('http.ip_sources');

/** Namespaces without modules yet. Declared so that their options are known. */
const packetConnWrappers: Namespace<object> = namespace<object>('caddy.packetconns');

const errorOptions = options({
  routes: list(
    'Routes that handle errors of the primary routes. `{http.error.*}` describes the error.',
    orNull(routeOptions),
  ),
});

const automaticHttpsOptions = options({
  disable: boolean('Disable automatic HTTPS for this server.'),
  disable_redirects: boolean('Disable redirects from HTTP to HTTPS.'),
  disable_certificates: boolean('Disable certificate management.'),
  skip: strings('Names to exclude from automatic HTTPS.'),
  skip_certificates: strings('Names to exclude from certificate management.'),
  ignore_loaded_certificates: boolean('Manage certificates even for names that a loaded certificate covers.'),
});

export const logOptions = options({
  default_logger_name: string('Name of the default access logger.'),
  logger_names: map(
    'Map of hosts, exact or `*.example.com`, to the names of their access loggers.',
    Type.Union([Type.String(), Type.Array(Type.String())]),
  ),
  skip_hosts: strings('Hosts whose requests are not logged.'),
  skip_unmapped_hosts: boolean('Log only requests for hosts listed in logger_names.'),
  should_log_credentials: boolean('Log header fields that contain credentials.'),
  trace: boolean('Log each handler that runs, with its options, at debug level.'),
});

/** Options for request metrics of a server or the app. */
const metricsOptions = options({
  per_host: boolean('Add a host label to metrics.'),
  observe_catchall_hosts: boolean('Include hosts that no route names, up to 1000 per server.'),
  otlp: boolean('Accepted but ignored: scrape `/metrics` instead. The server logs a warning.'),
});

const errorPages =
  'Send an HTML error page to clients that accept HTML if no route handles an error. Other clients get an empty body, as in Caddy.';

export const serverOptions = options({
  listen: strings('Addresses to listen on: `host:port`, `:8080`, `:8000-8010`, `[::1]:80`, `unix//run/s.sock`.', {
    examples: [[':8080']],
  }),
  listener_wrappers: inlineModules(
    'Listener wrappers around accepted connections, outermost first.',
    listenerWrappers,
    'wrapper',
  ),
  packet_conn_wrappers: inlineModules(
    'Accepted but ignored: no such modules exist yet. Wrappers around packet connections, outermost first.',
    packetConnWrappers,
    'wrapper',
  ),
  read_timeout: duration('Timeout for reading a request. 0 = no timeout.'),
  read_header_timeout: duration('Timeout for reading a request header. Default: 1m.'),
  read_idle_timeout: duration('Maximum pause while a client sends a request body. Default: 1m. Negative = no limit.'),
  read_min_rate: integer(
    'Minimum rate of a request body, in bytes per second. If set, read_idle_timeout applies to the whole body, and each byte received extends it. 0 = no minimum.',
  ),
  write_timeout: duration('Timeout for writing a response. 0 = no timeout.'),
  write_idle_timeout: duration('Maximum pause while a client reads a response. Default: 1m. Negative = no limit.'),
  write_min_rate: integer(
    'Minimum rate of a response, in bytes per second. If set, write_idle_timeout applies to the whole response, and each byte sent extends it. 0 = no minimum.',
  ),
  max_write_chunk: integer(
    'Number of pending bytes covered by one write_idle_timeout; for more pending bytes, the timeout is extended proportionally. Default: 65536.',
  ),
  idle_timeout: duration('Idle timeout of keep-alive connections. Default: 5m.'),
  keepalive_interval: duration('Interval between TCP keep-alive probes. Default: 15s. Negative = disabled.'),
  keepalive_idle: duration(
    'Accepted but ignored: Node sets it to keepalive_interval. Idle time before the first TCP keep-alive probe.',
  ),
  keepalive_count: integer(
    'Accepted but ignored: the operating system decides. Number of unanswered probes before the connection is closed.',
  ),
  max_header_bytes: integer('Maximum size of a request header, in bytes. Default: 16384.'),
  enable_full_duplex: boolean('Allow handlers to read the request body while sending a response over HTTP/1.1.'),
  expected_underscore_headers: strings(
    'Request header fields with underscores to keep, such as `x_user`, or `webhook_*` for a prefix. Other fields with underscores are dropped. Other spellings of these names (`x-user`) and repeated fields are dropped as well.',
  ),
  expected_dot_headers: strings(
    'Request header fields with dots to keep, with the same rules as expected_underscore_headers.',
  ),
  routes: list('Routes, in order. null = an empty route.', orNull(routeOptions)),
  errors: structure('Error handling.', errorOptions),
  named_routes: map('Named routes for `invoke`.', routeOptions),
  tls_connection_policies: list(
    'TLS connection policies. The first policy whose matchers match a connection applies.',
    policyOptions,
  ),
  automatic_https: structure('Settings for automatic HTTPS.', automaticHttpsOptions),
  strict_sni_host: boolean('Reject requests whose host differs from the server name of the TLS handshake.'),
  trusted_proxies: inlineModule('Proxies whose client address header fields are trusted.', ipSources, 'source'),
  client_ip_headers: strings(
    'Header fields containing the client address, in order of preference. Default: X-Forwarded-For.',
  ),
  trusted_proxies_strict: integer(
    'Evaluate X-Forwarded-For from the right, up to the first untrusted address. 1 = enabled. Default: 0 = from the left.',
  ),
  trusted_proxies_unix: boolean('Trust peers on Unix sockets.'),
  logs: structure('Access logs.', logOptions),
  protocols: strings(
    'Protocols: h1, h2, h2c, h3. Default: h1 and h2. h3 listens on UDP at the same port and requires TLS.',
  ),
  listen_protocols: list(
    "Protocols for plaintext connections, one list per address in `listen`. null or empty = the server's protocols. TLS connections always offer the server's protocols.",
    orNull(strings('Protocols: h1, h2, h2c.')),
  ),
  allow_0rtt: boolean(
    'Accept early data (0-RTT) over HTTP/3. GET, HEAD, OPTIONS and TRACE requests are processed before the handshake is complete; other requests wait. Enable only if replays of these requests are harmless. Default: false, unlike Caddy.',
  ),
  metrics: structure('Request metrics.', metricsOptions),
  error_pages: choice(`${errorPages} Default: the app's setting.`, ['on', 'off']),
});

const sampleOptions = options({
  disable: boolean('Disable recording.'),
  per_route: integer('Maximum number of recorded requests per route and host, from 1 to 1000. Default: 16.'),
  max_requests: integer(
    'Maximum number of recorded requests, from 1 to 100000. Above this number, routes with many recorded requests lose some. Default: 5000.',
  ),
  max_body: integer(
    'Maximum size of recorded request bodies in bytes, up to 65536; larger bodies are not recorded. Only text and JSON are recorded, without the values of members and form fields whose names indicate secrets. Default: 0 = no bodies.',
  ),
  all_bodies: boolean('Also record bodies other than text and JSON, in which secrets cannot be found.'),
  persist: boolean(
    'Keep recorded requests over restarts, in `samples.journal` in the data directory. The file is written every minute and at shutdown, and deleted when a running server gets a configuration without this option.',
  ),
});

export const httpOptions = options({
  http_port: integer('HTTP port. Default: 80.'),
  https_port: integer('HTTPS port. Default: 443.'),
  grace_period: duration('Maximum time for requests in flight to complete when a listener closes. 0 = no limit.'),
  shutdown_delay: duration('Delay before a server stops, during which it still serves requests. Default: 0.'),
  servers: map('Servers by name.', serverOptions),
  metrics: structure('Request metrics.', metricsOptions),
  error_pages: choice(errorPages, ['on', 'off'], { default: 'on' }),
  samples: structure(
    'Recording of requests: a random sample per route and host, returned by `GET /samples`. Dry runs and `sluice plan` compare how they are handled before and after a change. Secrets are removed.',
    sampleOptions,
  ),
});
