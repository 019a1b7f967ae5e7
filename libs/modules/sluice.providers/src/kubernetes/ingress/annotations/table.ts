/**
 * Table of ingress-nginx annotations and their equivalents. The reader accepts only these names. Tests require a case for each annotation,
 * and a check compares the table in the guide with this table.
 */

export interface AnnotationSpec {
  /** Support level. `yes` = same effect, `partial` = see the help, `ignored` = not necessary, `no` = not supported, causes a warning. */
  readonly support: 'yes' | 'partial' | 'ignored' | 'no';
  /** Equivalent configuration. If there is none, describes the consequence. */
  readonly counterpart: string;
  readonly help: string;
}

type Spec = AnnotationSpec;
const yes = (counterpart: string, help: string): Spec => ({ support: 'yes', counterpart, help });
const partial = (counterpart: string, help: string): Spec => ({ support: 'partial', counterpart, help });
const ignored = (counterpart: string, help: string): Spec => ({ support: 'ignored', counterpart, help });
const no = (counterpart: string, help: string): Spec => ({ support: 'no', counterpart, help });

export const annotationTable = {
  affinity: yes('`cookie` selection policy', 'Session affinity. Only `cookie` is supported.'),
  'affinity-canary-behavior': no(
    'each request is assigned independently',
    'Session affinity for canaries. Clients can move between the canary and the main backend.',
  ),
  'affinity-mode': partial(
    '`cookie` selection policy',
    'Session affinity mode. `balanced` has the same effect as `persistent`.',
  ),
  'allowlist-source-range': yes('`client_ip` matcher, 403', 'Alias of `whitelist-source-range`.'),
  'app-root': yes('redirect of `/`, 302', 'Redirect target for requests to `/`.'),
  'auth-always-set-cookie': no(
    'cookies from the authorization service are not added',
    'Adds cookies set by the authorization service to all responses.',
  ),
  'auth-cache-duration': no('each request is authorized', 'Cache duration of authorization results.'),
  'auth-cache-key': no('each request is authorized', 'Cache key for authorization results.'),
  'auth-keepalive': ignored(
    'connections are always kept alive',
    'Settings for keep-alive connections to the authorization service.',
  ),
  'auth-method': yes('`rewrite.method` of the subrequest', 'HTTP method of the authorization request. Default: GET.'),
  'auth-proxy-set-headers': yes(
    '`headers` of the subrequest',
    'ConfigMap with request header fields for the authorization service.',
  ),
  'auth-realm': yes('`realm` of `http_basic`', 'Realm for basic authentication.'),
  'auth-request-redirect': yes(
    '`X-Auth-Request-Redirect`',
    'Value of `X-Auth-Request-Redirect` in the authorization request.',
  ),
  'auth-response-headers': yes(
    '`headers`',
    'Response header fields of the authorization service to forward to the backend.',
  ),
  'auth-secret': yes('`accounts` of `http_basic`', 'Secret with user names and password hashes.'),
  'auth-secret-type': yes(
    '`accounts` of `http_basic`',
    'Format of the `auth-secret` Secret: `auth-file` (default) or `auth-map`.',
  ),
  'auth-signin': yes('redirect, 302', 'URL of the sign-in page for unauthenticated clients.'),
  'auth-signin-redirect-param': yes('redirect, 302', 'Query parameter that contains the original URL. Default: `rd`.'),
  'auth-snippet': partial(
    '`headers` of the subrequest',
    'nginx directives for the authorization request. Only `proxy_set_header` is supported, and only if snippets are allowed.',
  ),
  'auth-tls-error-page': no('clients get 400', 'URL to which clients are redirected if their certificate is rejected.'),
  'auth-tls-match-cn': yes(
    '`vars_regexp` matcher, 403',
    "Regular expression for the client certificate's common name.",
  ),
  'auth-tls-pass-certificate-to-upstream': partial(
    '`ssl-client-cert`',
    'Sends the client certificate to the backend in PEM format, with spaces instead of line breaks, and without percent-encoding.',
  ),
  'auth-tls-secret': yes('`client_authentication`', 'Secret with the CA for client certificates (`ca.crt`).'),
  'auth-tls-verify-client': yes(
    '`client_authentication`, 400',
    'Client certificate verification: `on` (default), `off`, `optional` or `optional_no_ca`.',
  ),
  'auth-tls-verify-depth': no('chain length is not limited', 'Maximum length of the client certificate chain.'),
  'auth-type': partial(
    '`http_basic`',
    'Authentication type. Only `basic` is supported; an Ingress with `digest` is rejected.',
  ),
  'auth-url': yes('`reverse_proxy` with `handle_response`', 'URL of the authorization service.'),
  'backend-protocol': partial(
    '`transport`',
    'Backend protocol: `HTTP`, `HTTPS`, `GRPC`, `GRPCS` or `FCGI`. `AUTO_HTTP` is treated as `HTTP`. An Ingress with `AJP` is rejected.',
  ),
  canary: yes('routes before the proxy', 'Makes this Ingress a canary for the Ingress with the same path.'),
  'canary-by-cookie': yes(
    '`vars` matcher',
    'Cookie that selects the canary if its value is `always`, and the main backend if its value is `never`.',
  ),
  'canary-by-header': yes(
    '`header` matcher',
    'Request header field that selects the canary if its value is `always`, and the main backend if its value is `never`.',
  ),
  'canary-by-header-pattern': yes(
    '`header_regexp` matcher',
    'Regular expression for the value of the `canary-by-header` field.',
  ),
  'canary-by-header-value': yes('`header` matcher', 'Value of the `canary-by-header` field that selects the canary.'),
  'canary-weight': yes('`vars_regexp` matcher', 'Weight of the canary, which determines its share of requests.'),
  'canary-weight-total': yes('`vars_regexp` matcher', 'Total of all weights (see `canary-weight`). Default: 100.'),
  'client-body-buffer-size': ignored('bodies are streamed', 'Buffer size for request bodies.'),
  'configuration-snippet': partial(
    'nginx adapter',
    'nginx directives for the location. Ignored unless `allow_snippets` is set; see [Snippets](#snippets).',
  ),
  'connection-proxy-header': partial(
    '`keep_alive`',
    '`Connection` header field for the backend. Only `close` has an effect.',
  ),
  'cors-allow-credentials': yes('`headers`', 'Allows credentials in CORS requests. Default: true.'),
  'cors-allow-headers': yes('`headers`', 'Request header fields that CORS requests may contain.'),
  'cors-allow-methods': yes('`headers`', 'Permitted methods.'),
  'cors-allow-origin': yes('`header_regexp` matcher', 'Permitted origins. Default: `*`.'),
  'cors-expose-headers': yes('`headers`', 'Response header fields that scripts can read in CORS requests.'),
  'cors-max-age': yes('`headers`', 'Cache duration of preflight responses. Default: 1728000 seconds.'),
  'custom-headers': yes('`headers`', 'ConfigMap with response header fields.'),
  'custom-http-errors': yes(
    '`handle_response`',
    'Status codes of backend responses that are replaced with responses from the default backend.',
  ),
  'default-backend': yes(
    '`reverse_proxy`',
    'Service that responds if the backend has no endpoints. It also provides the responses for `custom-http-errors`.',
  ),
  'denylist-source-range': yes('`client_ip` matcher, 403', 'Client IP ranges to reject.'),
  'disable-proxy-intercept-errors': yes('no `handle_response`', 'Disables `custom-http-errors`.'),
  'enable-access-log': yes('`log_skip`', 'Access logging. `false` disables the access log.'),
  'enable-cors': yes('`subroute`', 'Responds to preflight requests and adds CORS header fields.'),
  'enable-global-auth': ignored('global authorization is not supported', 'Disables global authorization.'),
  'enable-influxdb': no('nothing is sent', "Sends metrics to InfluxDB. Use Sluice's metrics instead."),
  'enable-modsecurity': no('requests are not inspected', 'Web application firewall.'),
  'enable-opentelemetry': yes('`tracing`', 'Creates a tracing span for each request.'),
  'enable-opentracing': yes('`tracing`', 'Alias of `enable-opentelemetry`.'),
  'enable-owasp-core-rules': no('requests are not inspected', 'Web application firewall rules.'),
  'enable-rewrite-log': no('rewrites are not logged', 'Logging of rewrites. Use `sluice explain` instead.'),
  'fastcgi-index': yes('`rewrite`', 'File name to append to paths with a trailing slash.'),
  'fastcgi-params-configmap': yes('`env` of `fastcgi`', 'ConfigMap with FastCGI parameters.'),
  'force-ssl-redirect': yes('redirect, 308', 'Redirects to HTTPS even if the host has no certificate.'),
  'from-to-www-redirect': yes(
    'redirect, 308',
    'Redirects between the host with and without `www.`. The host in the rule is the redirect target.',
  ),
  'global-rate-limit': no('requests are not limited across replicas', 'Rate limit that is shared by all replicas.'),
  'global-rate-limit-ignored-cidrs': no(
    'requests are not limited across replicas',
    'IP ranges exempt from the global rate limit.',
  ),
  'global-rate-limit-key': no('requests are not limited across replicas', 'Key of the global rate limit.'),
  'global-rate-limit-window': no('requests are not limited across replicas', 'Time window of the global rate limit.'),
  'http2-push-preload': ignored('browsers no longer support HTTP/2 server push', 'HTTP/2 server push.'),
  'limit-burst-multiplier': yes('`rate_limit`', 'Multiplier for the burst size of rate limits. Default: 5.'),
  'limit-connections': partial(
    '`concurrency_limit`',
    'Maximum number of concurrent requests per client, across all connections. `limit-whitelist` does not apply.',
  ),
  'limit-rate': no('bandwidth is not limited', 'Bandwidth limit per connection.'),
  'limit-rate-after': no('bandwidth is not limited', 'Response size after which `limit-rate` applies.'),
  'limit-rpm': partial(
    '`rate_limit`',
    'Maximum number of requests per minute per client. Additional requests are rejected with status code 429 instead of 503.',
  ),
  'limit-rps': partial(
    '`rate_limit`',
    'Maximum number of requests per second per client. Additional requests are rejected with status code 429 instead of 503.',
  ),
  'limit-whitelist': yes('`rate_limit` with `match`', 'IP ranges exempt from rate limits.'),
  'load-balance': partial(
    'selection policy',
    'Load balancing policy: `round_robin`, `least_conn` or `ip_hash`. `ewma` is treated as `least_conn`.',
  ),
  'mirror-host': yes(
    '`headers` of the mirrored request',
    '`Host` header field of mirrored requests. Default: the host of the target.',
  ),
  'mirror-request-body': partial(
    '`max_body_size`',
    'Includes request bodies in mirrored requests. If set to `off`, requests with a body are not mirrored.',
  ),
  'mirror-target': yes(
    '`mirror`',
    'URL that receives a copy of each request. If the URL has no path, the original URI is used.',
  ),
  'modsecurity-snippet': no('requests are not inspected', 'Web application firewall rules.'),
  'modsecurity-transaction-id': no('requests are not inspected', 'Transaction ID for the web application firewall.'),
  'opentelemetry-operation-name': yes('`span` of `tracing`', 'Span name.'),
  'opentelemetry-trust-incoming-span': partial(
    '`tracing`',
    'Trusts incoming span contexts. Sluice always trusts them, even if the annotation is `false`.',
  ),
  'opentracing-trust-incoming-span': partial('`tracing`', 'Alias of `opentelemetry-trust-incoming-span`.'),
  'permanent-redirect': yes('redirect, 301', 'Redirects all requests to this URL.'),
  'permanent-redirect-code': yes('redirect', 'Status code of the redirect for `permanent-redirect`.'),
  'preserve-trailing-slash': ignored(
    'redirects keep the path unchanged',
    'Preserves the trailing slash in redirects to HTTPS.',
  ),
  'proxy-body-size': partial(
    '`request_body`',
    'Maximum size of request bodies. Default: no limit (1m in ingress-nginx).',
  ),
  'proxy-buffer-size': ignored('buffers grow as needed', 'Buffer size for response headers.'),
  'proxy-buffering': yes('`flush_interval`', 'Response buffering. `off` = send each part of a response immediately.'),
  'proxy-buffers-number': ignored('buffers grow as needed', 'Number of response buffers.'),
  'proxy-busy-buffers-size': ignored('buffers grow as needed', 'Size of response buffers that are being sent.'),
  'proxy-connect-timeout': yes('`dial_timeout`', 'Connect timeout for the backend, in seconds.'),
  'proxy-cookie-domain': yes(
    '`headers.response.replace`',
    'Rewrites the domain of cookies. The value is `off`, or the old and the new domain.',
  ),
  'proxy-cookie-path': yes(
    '`headers.response.replace`',
    'Rewrites the path of cookies. The value is `off`, or the old and the new path.',
  ),
  'proxy-http-version': partial('`versions`', 'HTTP version for requests to the backend. `1.0` is treated as `1.1`.'),
  'proxy-max-temp-file-size': ignored('no temporary files are used', 'Maximum size of temporary files.'),
  'proxy-next-upstream': partial(
    '`load_balancing`',
    'Failures after which to retry: `error`, `timeout`, `non_idempotent` or `off`. Retries based on the response status code are not supported.',
  ),
  'proxy-next-upstream-timeout': yes('`try_duration`', 'Total time limit for retries, in seconds.'),
  'proxy-next-upstream-tries': yes('`retries`', 'Maximum number of attempts. Default: 3.'),
  'proxy-read-timeout': yes('`read_timeout`', 'Timeout for reading from the backend, in seconds.'),
  'proxy-redirect-from': yes('`headers.response.replace`', 'String to replace in the `Location` header field.'),
  'proxy-redirect-to': yes('`headers.response.replace`', 'Replacement for `proxy-redirect-from`.'),
  'proxy-request-buffering': yes(
    '`request_buffers`',
    'Request buffering. `on` = buffer up to 1 MiB of a request body before sending it to the backend.',
  ),
  'proxy-send-timeout': yes('`write_timeout`', 'Timeout for writing to the backend, in seconds.'),
  'proxy-ssl-ciphers': no('default cipher suites', 'Cipher suites for connections to the backend.'),
  'proxy-ssl-name': yes('`server_name`', 'Name to verify in the backend certificate.'),
  'proxy-ssl-protocols': no('TLS 1.2 or later', 'TLS versions for connections to the backend.'),
  'proxy-ssl-secret': partial(
    '`ca`',
    'Secret with the CA for the backend certificate. The client certificate in the Secret is not presented.',
  ),
  'proxy-ssl-server-name': ignored('SNI is always sent', 'Sends SNI to the backend.'),
  'proxy-ssl-verify': yes('`insecure_skip_verify`', 'Verifies the backend certificate. Default: off.'),
  'proxy-ssl-verify-depth': no('chain length is not limited', 'Maximum length of the backend certificate chain.'),
  'relative-redirects': yes('`Location`', 'Sends redirects without scheme and host.'),
  'rewrite-target': yes(
    '`rewrite`',
    'Path to send to the backend. The Ingress path is a regular expression, and `$1` refers to its first capture group.',
  ),
  satisfy: partial(
    'routes before the proxy',
    'Combination of access restrictions. `any` = either an allowed address or successful authentication is sufficient. If two authentication methods are configured, both are required.',
  ),
  'server-alias': yes('`host` matcher', 'Additional host names. Names that are used by other Ingresses are ignored.'),
  'server-snippet': partial(
    'nginx adapter',
    'nginx directives for the server, applied to the paths of this Ingress. Ignored unless `allow_snippets` is set.',
  ),
  'service-upstream': yes('`upstreams`', "Proxies to the Service's cluster IP."),
  'secure-backends': yes('`transport`', 'Alias of `backend-protocol: HTTPS`.'),
  'session-cookie-change-on-failure': ignored(
    'the session cookie always changes after a failure',
    'Sends a new session cookie after a failure.',
  ),
  'session-cookie-conditional-samesite-none': no('all clients get the same cookie', 'Omits `SameSite=None`.'),
  'session-cookie-domain': yes('`headers`', 'Cookie domain.'),
  'session-cookie-expires': yes('`max_age`', 'Lifetime of the session cookie, in seconds.'),
  'session-cookie-max-age': yes(
    '`max_age`',
    'Lifetime of the session cookie, in seconds. Overrides `session-cookie-expires`.',
  ),
  'session-cookie-name': yes('`name`', 'Name of the session cookie. Default: INGRESSCOOKIE.'),
  'session-cookie-path': yes('`headers`', 'Cookie path. Default: `/`.'),
  'session-cookie-samesite': yes(
    '`headers`',
    '`SameSite` attribute of the session cookie. Default: `Lax`, or `None` over HTTPS.',
  ),
  'session-cookie-secure': yes('`headers`', '`Secure` attribute of the session cookie. Default: set over HTTPS only.'),
  'ssl-ciphers': partial(
    '`cipher_suites`',
    'TLS 1.2 cipher suites, by OpenSSL name. Insecure cipher suites are ignored.',
  ),
  'ssl-passthrough': no(
    'Sluice terminates TLS',
    'Passes TLS connections through to the backend. Use a TLSRoute instead.',
  ),
  'ssl-prefer-server-ciphers': ignored(
    'the server always selects the cipher suite',
    "Prefers the server's cipher suite order over the client's.",
  ),
  'ssl-redirect': yes('redirect, 308', 'Redirects to HTTPS. Default: true for hosts in `tls`.'),
  'stream-snippet': no('the ports are not opened', 'nginx directives for a stream server.'),
  'temporal-redirect': yes('redirect, 302', 'Redirects all requests to this URL.'),
  'temporal-redirect-code': yes('redirect', 'Status code of the redirect for `temporal-redirect`.'),
  'upstream-hash-by': partial(
    'selection policy',
    'Key for selecting an upstream: `$request_uri`, `$uri`, `$remote_addr`, `$http_…` or `$arg_…`. Other keys cause a warning.',
  ),
  'upstream-hash-by-subset': no('each key selects a single upstream', 'Maps each key to a subset of upstreams.'),
  'upstream-hash-by-subset-size': no('each key selects a single upstream', 'Subset size.'),
  'upstream-vhost': yes('`headers`', '`Host` header field to send to the backend.'),
  'use-regex': yes('`path_regexp` matcher', 'Treats all paths of the host as case-insensitive regular expressions.'),
  'whitelist-source-range': yes('`client_ip` matcher, 403', 'Client IP ranges to allow.'),
  'x-forwarded-prefix': yes('`headers`', '`X-Forwarded-Prefix` header field to send to the backend.'),
} as const satisfies Record<string, AnnotationSpec>;

export type AnnotationName = keyof typeof annotationTable;
