/**
 * Annotations of ingress-nginx and their counterparts. The reader accepts only these names, tests require a case for
 * each of them, and the table of the guide is checked against this one.
 */

export interface AnnotationSpec {
  /**
   * `yes` = same effect; `partial` = see the help; `ignored` = has no effect because none is needed; `no` = causes a
   * warning.
   */
  readonly support: 'yes' | 'partial' | 'ignored' | 'no';
  /** Part of the configuration with the same effect, or the consequence of its absence. */
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
    'each request selects anew',
    'Affinity to canaries. A client can move between canary and main backend.',
  ),
  'affinity-mode': partial('`cookie` selection policy', '`persistent`. `balanced` has the same effect.'),
  'allowlist-source-range': yes('`client_ip` matcher, 403', 'Another name of `whitelist-source-range`.'),
  'app-root': yes('redirect of `/`, 302', 'Path to which requests for `/` are redirected.'),
  'auth-cache-duration': no('each request is authorized', 'Lifetime of cached authorization results.'),
  'auth-cache-key': no('each request is authorized', 'Key of cached authorization results.'),
  'auth-method': yes('`rewrite.method` of the subrequest', 'Method of the authorization request. Default: GET.'),
  'auth-proxy-set-headers': yes('`headers` of the subrequest', 'ConfigMap with header fields for the service.'),
  'auth-realm': yes('`realm` of `http_basic`', 'Realm of basic authentication.'),
  'auth-request-redirect': yes('`X-Auth-Request-Redirect`', 'Value of this field in the authorization request.'),
  'auth-response-headers': yes('`headers`', 'Response fields of the service that the backend receives.'),
  'auth-secret': yes('`accounts` of `http_basic`', 'Secret with users and password hashes.'),
  'auth-secret-type': yes('`accounts` of `http_basic`', '`auth-file` (default) or `auth-map`.'),
  'auth-signin': yes('redirect, 302', 'Sign-in page for unauthenticated clients.'),
  'auth-signin-redirect-param': yes('redirect, 302', 'Query parameter with the original URL. Default: `rd`.'),
  'auth-snippet': partial(
    '`headers` of the subrequest',
    'Only `proxy_set_header` is supported, if snippets are allowed.',
  ),
  'auth-tls-error-page': no('clients get 400', 'Redirect for rejected client certificates.'),
  'auth-tls-match-cn': yes('`vars_regexp` matcher, 403', 'Expression for the common name of client certificates.'),
  'auth-tls-pass-certificate-to-upstream': yes('`ssl-client-cert`', 'Sends the client certificate to the backend.'),
  'auth-tls-secret': yes('`client_authentication`', 'Secret with the CA of client certificates (`ca.crt`).'),
  'auth-tls-verify-client': yes(
    '`client_authentication`, 400',
    '`on` (default), `off`, `optional` or `optional_no_ca`.',
  ),
  'auth-tls-verify-depth': no('chains may be longer', 'Maximum length of certificate chains.'),
  'auth-type': partial('`http_basic`', '`basic`. With `digest`, the Ingress is refused.'),
  'auth-url': yes('`reverse_proxy` with `handle_response`', 'URL of an authorization service.'),
  'backend-protocol': partial(
    '`transport`',
    '`HTTP`, `HTTPS`, `GRPC`, `GRPCS`, `FCGI`. `AUTO_HTTP` is HTTP. With `AJP`, the Ingress is refused.',
  ),
  canary: yes('routes before the proxy', 'Makes an Ingress the canary of the Ingress with the same path.'),
  'canary-by-cookie': yes('`vars` matcher', 'Cookie that selects the canary: `always` or `never`.'),
  'canary-by-header': yes('`header` matcher', 'Field that selects the canary: `always` or `never`.'),
  'canary-by-header-pattern': yes('`header_regexp` matcher', 'Expression for the field of `canary-by-header`.'),
  'canary-by-header-value': yes('`header` matcher', 'Value for the field of `canary-by-header`.'),
  'canary-weight': yes('`vars_regexp` matcher', 'Share of requests for the canary.'),
  'canary-weight-total': yes('`vars_regexp` matcher', 'Total of `canary-weight`. Default: 100.'),
  'client-body-buffer-size': ignored('bodies are streamed', 'Buffer size of request bodies.'),
  'configuration-snippet': partial(
    'nginx adapter',
    'nginx directives of a location. Off unless `allow_snippets` is set; see [Snippets](#snippets).',
  ),
  'connection-proxy-header': partial('`keep_alive`', '`close`. Other values have no effect.'),
  'cors-allow-credentials': yes('`headers`', 'Permits credentials. Default: true.'),
  'cors-allow-headers': yes('`headers`', 'Permitted request fields.'),
  'cors-allow-methods': yes('`headers`', 'Permitted methods.'),
  'cors-allow-origin': yes('`header_regexp` matcher', 'Permitted origins. Default: `*`.'),
  'cors-expose-headers': yes('`headers`', 'Response fields that scripts may read.'),
  'cors-max-age': yes('`headers`', 'Lifetime of preflight results. Default: 1728000 seconds.'),
  'custom-headers': yes('`headers`', 'ConfigMap with response fields.'),
  'custom-http-errors': yes('`handle_response`', 'Statuses of the backend for which the default backend responds.'),
  'default-backend': yes(
    '`reverse_proxy`',
    'Service that responds if the backend has no endpoints, and for `custom-http-errors`.',
  ),
  'denylist-source-range': yes('`client_ip` matcher, 403', 'Networks of clients to reject.'),
  'disable-proxy-intercept-errors': yes('no `handle_response`', 'Disables `custom-http-errors`.'),
  'enable-access-log': yes('`log_skip`', '`false` disables the access log.'),
  'enable-cors': yes('`subroute`', 'Responds to preflight requests and adds CORS fields.'),
  'enable-global-auth': ignored('there is no global authorization', 'Disables global authorization.'),
  'enable-modsecurity': no('requests are not inspected', 'Web application firewall.'),
  'enable-opentelemetry': yes('`tracing`', 'Creates a span for each request.'),
  'enable-opentracing': yes('`tracing`', 'Old name of `enable-opentelemetry`.'),
  'enable-owasp-core-rules': no('requests are not inspected', 'Rules of the web application firewall.'),
  'enable-rewrite-log': no('rewrites are not logged', 'Log of rewrites. Use `sluice explain` instead.'),
  'fastcgi-index': yes('`rewrite`', 'File name for paths that end with a slash.'),
  'fastcgi-params-configmap': yes('`env` of `fastcgi`', 'ConfigMap with FastCGI parameters.'),
  'force-ssl-redirect': yes('redirect, 308', 'Redirects to HTTPS even if the host has no certificate.'),
  'from-to-www-redirect': yes('redirect, 308', 'Redirects `www.` and the bare name to the host of the rule.'),
  'global-rate-limit': no('requests are not limited across replicas', 'Rate limit in a central store.'),
  'http2-push-preload': ignored('browsers no longer support it', 'HTTP/2 server push.'),
  'limit-burst-multiplier': yes('`rate_limit`', 'Length of the window of rate limits. Default: 5.'),
  'limit-connections': no('connections are not limited', 'Maximum number of connections per client.'),
  'limit-rate': no('responses are not slowed down', 'Bandwidth of a connection.'),
  'limit-rate-after': no('responses are not slowed down', 'Size after which `limit-rate` applies.'),
  'limit-rpm': partial('`rate_limit`', 'Requests per minute and client. Rejected ones get 429 instead of 503.'),
  'limit-rps': partial('`rate_limit`', 'Requests per second and client. Rejected ones get 429 instead of 503.'),
  'limit-whitelist': yes('`rate_limit` with `match`', 'Networks without rate limits.'),
  'load-balance': partial('selection policy', '`round_robin`, `least_conn`, `ip_hash`; `ewma` is `least_conn`.'),
  'mirror-host': no('requests are not mirrored', 'Host of mirrored requests.'),
  'mirror-request-body': no('requests are not mirrored', 'Mirrors bodies.'),
  'mirror-target': no('requests are not mirrored', 'URL that receives a copy of each request.'),
  'modsecurity-snippet': no('requests are not inspected', 'Rules of the web application firewall.'),
  'modsecurity-transaction-id': no('requests are not inspected', 'ID for the web application firewall.'),
  'opentelemetry-trust-incoming-span': partial('`tracing`', 'Incoming spans are always trusted.'),
  'permanent-redirect': yes('redirect, 301', 'Redirects all requests to a URL.'),
  'permanent-redirect-code': yes('redirect', 'Status of `permanent-redirect`.'),
  'preserve-trailing-slash': ignored('redirects keep the path', 'Keeps the slash in redirects to HTTPS.'),
  'proxy-body-size': partial('`request_body`', 'Maximum size of request bodies. Default: no limit, not 1m.'),
  'proxy-buffer-size': ignored('buffers grow as needed', 'Buffer size for the header of responses.'),
  'proxy-buffering': yes('`flush_interval`', '`off` flushes each part of a response immediately.'),
  'proxy-buffers-number': ignored('buffers grow as needed', 'Number of response buffers.'),
  'proxy-busy-buffers-size': ignored('buffers grow as needed', 'Size of busy response buffers.'),
  'proxy-connect-timeout': yes('`dial_timeout`', 'Timeout of connections to the backend, in seconds.'),
  'proxy-cookie-domain': yes('`headers.response.replace`', 'Replaces the domain of cookies: `off`, or two names.'),
  'proxy-cookie-path': yes('`headers.response.replace`', 'Replaces the path of cookies: `off`, or two paths.'),
  'proxy-http-version': partial('`versions`', '`1.1`. With `1.0`, requests use 1.1.'),
  'proxy-max-temp-file-size': ignored('no files are used', 'Size of temporary files.'),
  'proxy-next-upstream': partial(
    '`load_balancing`',
    'Failures to retry: `error`, `timeout`, `non_idempotent`, `off`. Responses are not retried.',
  ),
  'proxy-next-upstream-timeout': yes('`try_duration`', 'Maximum time of retries, in seconds.'),
  'proxy-next-upstream-tries': yes('`retries`', 'Maximum number of attempts. Default: 3.'),
  'proxy-read-timeout': yes('`read_timeout`', 'Timeout between two reads, in seconds.'),
  'proxy-redirect-from': yes('`headers.response.replace`', 'Text to replace in `Location`.'),
  'proxy-redirect-to': yes('`headers.response.replace`', 'Replacement for `proxy-redirect-from`.'),
  'proxy-request-buffering': yes('`request_buffers`', '`on` reads bodies before they are sent, up to 1 MiB.'),
  'proxy-send-timeout': yes('`write_timeout`', 'Timeout between two writes, in seconds.'),
  'proxy-ssl-ciphers': no('default cipher suites', 'Cipher suites for the backend.'),
  'proxy-ssl-name': yes('`server_name`', 'Name in the certificate of the backend.'),
  'proxy-ssl-protocols': no('TLS 1.2 or later', 'TLS versions for the backend.'),
  'proxy-ssl-secret': partial('`ca`', 'Secret with the CA of the backend. A client certificate is not presented.'),
  'proxy-ssl-server-name': ignored('SNI is always sent', 'Sends SNI to the backend.'),
  'proxy-ssl-verify': yes('`insecure_skip_verify`', 'Verifies the certificate of the backend. Default: off.'),
  'proxy-ssl-verify-depth': no('chains may be longer', 'Maximum length of certificate chains.'),
  'relative-redirects': yes('`Location`', 'Redirects without scheme and host.'),
  'rewrite-target': yes('`rewrite`', 'Path for the backend. `$1` is a group of the path, an expression.'),
  satisfy: partial(
    'routes before the proxy',
    '`any` = an allowed address or authentication. With two authentications, both are required.',
  ),
  'server-alias': yes('`host` matcher', 'More names of the hosts. Names of other Ingresses are left out.'),
  'server-snippet': partial(
    'nginx adapter',
    'nginx directives of a server, applied to the paths of this Ingress. Off unless `allow_snippets` is set.',
  ),
  'service-upstream': yes('`upstreams`', 'Proxies to the cluster address of the Service.'),
  'session-cookie-change-on-failure': ignored('cookies always change', 'New cookie after a failure.'),
  'session-cookie-conditional-samesite-none': no('all clients get the same cookie', 'Omits `SameSite=None`.'),
  'session-cookie-domain': yes('`headers`', 'Domain of the cookie.'),
  'session-cookie-expires': yes('`max_age`', 'Lifetime of the cookie, in seconds.'),
  'session-cookie-max-age': yes('`max_age`', 'Lifetime of the cookie, in seconds. Overrides `session-cookie-expires`.'),
  'session-cookie-name': yes('`name`', 'Name of the cookie. Default: INGRESSCOOKIE.'),
  'session-cookie-path': yes('`headers`', 'Path of the cookie. Default: `/`.'),
  'session-cookie-samesite': yes('`headers`', '`SameSite` of the cookie. Default: `Lax`, or `None` over HTTPS.'),
  'session-cookie-secure': yes('`headers`', '`Secure` of the cookie. Default: over HTTPS only.'),
  'ssl-ciphers': partial('`cipher_suites`', 'TLS 1.2 cipher suites by OpenSSL name. Insecure ones are left out.'),
  'ssl-passthrough': no('TLS ends at this server', 'Passes connections to the backend. Use a TLSRoute instead.'),
  'ssl-prefer-server-ciphers': ignored('the server always selects', 'Server order of cipher suites.'),
  'ssl-redirect': yes('redirect, 308', 'Redirects to HTTPS. Default: true for hosts in `tls`.'),
  'stream-snippet': no('the ports are not opened', 'nginx directives of a stream server.'),
  'temporal-redirect': yes('redirect, 302', 'Redirects all requests to a URL.'),
  'temporal-redirect-code': yes('redirect', 'Status of `temporal-redirect`.'),
  'upstream-hash-by': partial(
    'selection policy',
    '`$request_uri`, `$uri`, `$remote_addr`, `$http_…`, `$arg_…`. Other keys cause a warning.',
  ),
  'upstream-hash-by-subset': no('one upstream per key', 'Groups of upstreams per key.'),
  'upstream-vhost': yes('`headers`', '`Host` for the backend.'),
  'use-regex': yes('`path_regexp` matcher', 'Makes all paths of the host regular expressions, without case.'),
  'whitelist-source-range': yes('`client_ip` matcher, 403', 'Networks of permitted clients.'),
  'x-forwarded-prefix': yes('`headers`', '`X-Forwarded-Prefix` for the backend.'),
} as const satisfies Record<string, AnnotationSpec>;

export type AnnotationName = keyof typeof annotationTable;

/** Returns the table of the guide. */
export function annotationMarkdown(): string {
  const marks = { yes: 'yes', partial: 'partial', ignored: 'not needed', no: 'warning' };
  const rows = Object.entries<AnnotationSpec>(annotationTable).map(
    ([name, { support, counterpart, help }]) => `| \`${name}\` | ${marks[support]} | ${counterpart} | ${help} |`,
  );
  return [
    '| Annotation | Supported | Counterpart or consequence | Meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
