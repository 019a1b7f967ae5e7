/** Options of an HTTP server in the `http` app. */
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

/** A source of IP ranges, for example `static`. Used for the ranges of trusted proxies. */
export interface IpSource {
  /** Reports whether an IP address is in the current ranges of the source. */
  contains(address: string): boolean;
}

/** Module namespace `http.ip_sources`; the inline key is `source`. */
export const ipSources: Namespace<IpSource> = namespace<IpSource>('http.ip_sources');

/** Module namespace that has no modules yet. It is declared so that the option name is valid. */
const packetConnWrappers: Namespace<object> = namespace<object>('caddy.packetconns');

const errorOptions = options({
  routes: list(
    'Routes that handle errors from the primary routes. `{http.error.*}` placeholders describe the error.',
    orNull(routeOptions),
  ),
});

const automaticHttpsOptions = options({
  disable: boolean('Disable automatic HTTPS for this server.'),
  disable_redirects: boolean('Disable redirects from HTTP to HTTPS.'),
  disable_certificates: boolean('Disable certificate management.'),
  skip: strings('Host names to exclude from automatic HTTPS.'),
  skip_certificates: strings('Host names to exclude from certificate management.'),
  ignore_loaded_certificates: boolean(
    'Manage certificates even for host names that are covered by a loaded certificate.',
  ),
});

export const logOptions = options({
  default_logger_name: string('Name of the default access logger.'),
  logger_names: map(
    'Map of host names to access logger names. A host may be a wildcard, such as `*.example.com`.',
    Type.Union([Type.String(), Type.Array(Type.String())]),
  ),
  skip_hosts: strings('Hosts whose requests are not logged.'),
  skip_unmapped_hosts: boolean('Log only requests for hosts listed in `logger_names`.'),
  should_log_credentials: boolean(
    'Log the values of header fields that contain credentials, instead of redacting them.',
  ),
  trace: boolean('At debug level, log each handler that runs, with its options.'),
});

const metricsOptions = options({
  per_host: boolean('Add a `host` label to metrics.'),
  observe_catchall_hosts: boolean(
    'Also record metrics for hosts that are not listed in any route, up to 1000 hosts per server.',
  ),
  otlp: boolean(
    'Export metrics over OTLP. Accepted but ignored, with a warning in the logs: scrape `/metrics` instead.',
  ),
});

const errorPages =
  'If no route handles an error, send an HTML error page to clients that accept HTML. Other clients get an empty body, as in Caddy.';

export const serverOptions = options({
  listen: strings(
    'Listen addresses, such as `host:port`, `:8080`, `:8000-8010` (port range), `[::1]:80` or `unix//run/s.sock`.',
    {
      examples: [[':8080']],
    },
  ),
  listener_wrappers: inlineModules(
    'Listener wrappers, which process accepted connections in the order listed.',
    listenerWrappers,
    'wrapper',
  ),
  packet_conn_wrappers: inlineModules(
    'Packet connection wrappers. Accepted but ignored: no such modules exist yet.',
    packetConnWrappers,
    'wrapper',
  ),
  read_timeout: duration('Timeout for reading a whole request, including the body. 0 = no timeout.'),
  read_header_timeout: duration('Timeout for reading a request header. Default: 1m.'),
  read_idle_timeout: duration('Maximum time between two reads of a request body. Default: 1m. Negative = no limit.'),
  read_min_rate: integer(
    'Minimum transfer rate of a request body, in bytes per second. If set, `read_idle_timeout` applies to the whole body, and each received byte extends the timeout. 0 = no minimum.',
  ),
  write_timeout: duration('Timeout for writing a whole response. 0 = no timeout.'),
  write_idle_timeout: duration(
    'Maximum time for which a client may stop reading a response. Default: 1m. Negative = no limit.',
  ),
  write_min_rate: integer(
    'Minimum transfer rate of a response, in bytes per second. If set, `write_idle_timeout` applies to the whole response, and each sent byte extends the timeout. 0 = no minimum.',
  ),
  max_write_chunk: integer(
    'Number of unsent bytes that one `write_idle_timeout` covers. If more bytes are unsent, the timeout is extended proportionally. Default: 65536.',
  ),
  idle_timeout: duration('Idle timeout for keep-alive connections. Default: 5m.'),
  keepalive_interval: duration('Interval between TCP keep-alive probes. Default: 15s. Negative = disabled.'),
  keepalive_idle: duration(
    'Idle time before the first TCP keep-alive probe. Accepted but ignored: Node.js uses `keepalive_interval`.',
  ),
  keepalive_count: integer(
    "Number of unanswered TCP keep-alive probes before the connection is closed. Accepted but ignored: the operating system's setting applies.",
  ),
  max_header_bytes: integer('Maximum size of a request header, in bytes. Default: 16384.'),
  enable_full_duplex: boolean('Allow handlers to read the request body while sending a response over HTTP/1.1.'),
  expected_underscore_headers: strings(
    'Request header fields to keep although their names contain underscores, such as `x_user`, or `webhook_*` for a prefix. All other fields with underscores are dropped, as are other spellings of these names (`x-user`) and repeated fields.',
  ),
  expected_dot_headers: strings(
    'Request header fields to keep although their names contain dots. Follows the same rules as `expected_underscore_headers`.',
  ),
  routes: list('Routes, in order. null = empty route.', orNull(routeOptions)),
  errors: structure('Error handling settings.', errorOptions),
  named_routes: map('Named routes, which the `invoke` handler can run.', routeOptions),
  tls_connection_policies: list(
    'TLS connection policies. The first policy that matches a connection applies.',
    policyOptions,
  ),
  automatic_https: structure('Automatic HTTPS settings.', automaticHttpsOptions),
  strict_sni_host: boolean(
    'Reject requests whose Host header field differs from the server name in the TLS handshake (SNI).',
  ),
  trusted_proxies: inlineModule(
    'Source of the IP ranges of trusted proxies. Client address header fields are used only if a trusted proxy sent them.',
    ipSources,
    'source',
  ),
  client_ip_headers: strings(
    'Header fields that contain the client IP address, in order of preference. Default: X-Forwarded-For.',
  ),
  trusted_proxies_strict: integer(
    'Parsing direction of X-Forwarded-For. 0 = from left to right; 1 = from right to left, up to the first untrusted address. Default: 0.',
  ),
  trusted_proxies_unix: boolean('Treat all peers on Unix sockets as trusted proxies.'),
  logs: structure('Access log settings.', logOptions),
  protocols: strings(
    'HTTP protocols to enable: h1, h2, h2c, h3. h3 requires TLS and listens on the same port number over UDP. Default: h1 and h2.',
  ),
  listen_protocols: list(
    "HTTP protocols for plaintext connections, one list per address in `listen`. null or empty list = the server's protocols. TLS connections always use the server's protocols.",
    orNull(strings('Protocols: h1, h2, h2c.')),
  ),
  allow_0rtt: boolean(
    'Accept early data (0-RTT) over HTTP/3. GET, HEAD, OPTIONS and TRACE requests are processed before the handshake is complete; other requests wait. Enable only if replays of these requests are harmless. Default: false, unlike Caddy.',
  ),
  metrics: structure('Request metrics settings.', metricsOptions),
  error_pages: choice(`${errorPages} Default: the app's setting.`, ['on', 'off']),
});

const sampleOptions = options({
  disable: boolean('Disable request recording.'),
  per_route: integer('Maximum number of recorded requests per route and host, from 1 to 1000. Default: 16.'),
  max_requests: integer(
    'Maximum total number of recorded requests, from 1 to 100000. Once it is reached, requests are evicted from the routes with the most recorded requests. Default: 5000.',
  ),
  max_body: integer(
    'Maximum size of a request body to record, in bytes, up to 65536. Larger bodies are not recorded. Only text, JSON and form bodies are recorded; values of JSON members and form fields whose names indicate secrets are removed. Default: 0 = do not record bodies.',
  ),
  all_bodies: boolean(
    'Also record bodies other than text, JSON and forms. Secrets in these bodies cannot be detected and removed.',
  ),
  persist: boolean(
    'Keep recorded requests across restarts, in the file `samples.journal` in the data directory. The file is written every minute and at shutdown. The file is deleted when a configuration without this option is loaded into the running server.',
  ),
});

export const httpOptions = options({
  http_port: integer('Port for HTTP, used by automatic HTTPS and for redirects to HTTPS. Default: 80.'),
  https_port: integer('Port for HTTPS, used by automatic HTTPS. Default: 443.'),
  grace_period: duration('Maximum time for in-flight requests to complete after a listener is closed. 0 = no limit.'),
  shutdown_delay: duration('Delay before a server shuts down. Until then, it continues to serve requests. Default: 0.'),
  servers: map('Map of server names to servers.', serverOptions),
  metrics: structure('Request metrics settings.', metricsOptions),
  error_pages: choice(errorPages, ['on', 'off'], { default: 'on' }),
  samples: structure(
    'Request recording: keeps a random sample of requests per route and host, without secrets. Dry runs and `sluice plan` compare how these requests are handled before and after a change. `GET /samples` returns them.',
    sampleOptions,
  ),
});
