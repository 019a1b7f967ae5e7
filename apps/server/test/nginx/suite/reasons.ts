/** Reasons for which tests of nginx's suite fail here, by the name of their file. */

/** Kinds of reasons. */
export type Kind = 'declared' | 'not applicable' | 'defect';

const names = 'names of fields are sent in their canonical case (`X-Uri` for `X-URI`), which the tests compare';
const ssi = 'the tests read their result from SSI';
const logs = 'lines of logs are JSON objects';
const streamed = 'request bodies are passed on as they come; the upstream of the test handles one connection at a time';
const resolver = 'names are looked up by the system: `resolver` is ignored';
const conf = (text: string): string => `the configuration is rejected: ${text}`;

const entries: readonly (readonly [kind: Kind, files: string, reason: string])[] = [
  ['not applicable', 'http_resolver http_resolver_aaaa http_resolver_cname', resolver],
  ['not applicable', 'syslog debug_connection_syslog', 'logs are not sent to syslog by `access_log` and `error_log`'],
  ['not applicable', 'autoindex_format', '`autoindex_format` (XML, JSON, JSONP) has no counterpart'],
  ['declared', 'autoindex', 'listings look different'],
  [
    'declared',
    'auth_basic',
    conf('`auth_basic_user_file` with a variable, as files are read when the configuration is adapted'),
  ],
  ['declared', 'ssl_crl', conf('`ssl_crl` for clients is refused, because revoked clients would be let in')],
  ['not applicable', 'http_listen', conf('`listen` with a range of ports')],
  ['not applicable', 'upstream_max_conns', conf('`proxy_pass http:/$uri`, an upstream that the client names')],
  ['declared', 'error_log access_log access_log_variables debug_connection debug_connection_unix', logs],
  ['declared', 'proxy_upgrade ssl_proxy_upgrade proxy_variables post_action', logs],
  ['declared', 'http_host', '`$host` keeps its case and the dot at its end'],
  [
    'declared',
    'http_server_name',
    '`$host`, captures of `server_name` and `$server_name` keep the case that was written',
  ],
  [
    'not applicable',
    'proxy_protocol proxy_protocol2 ssl_proxy_protocol',
    'variables of the PROXY protocol (`$proxy_protocol_addr`) have no counterpart',
  ],
  ['not applicable', 'referer', '`valid_referers` has no counterpart'],
  [
    'declared',
    'index headers rewrite http_error_page http_try_files http_uri',
    `${names}; redirects, 405 and 306 have no page here`,
  ],
  ['not applicable', 'rewrite_set proxy_keepalive subrequest_output_buffer_size', ssi],
  ['not applicable', 'request_id proxy_chunked', ssi],
  [
    'declared',
    'auth_request auth_request_satisfy auth_request_set',
    'the service is asked by `proxy_pass` or `return`; here it is a file, a cache or `set`',
  ],
  ['not applicable', 'server_tokens', '`Server` is that of this server, and `server_tokens` has no counterpart'],
  ['not applicable', 'trailers', '`add_trailer` has no counterpart'],
  ['not applicable', 'proxy_cookie_flags', '`proxy_cookie_flags` has no counterpart'],
  [
    'not applicable',
    'http_keepalive http_keepalive_shutdown',
    '`keepalive_requests`, `keepalive_disable` and `msie6` have no counterpart',
  ],
  ['declared', 'proxy_request_buffering proxy_request_buffering_chunked proxy_request_buffering_ssl', streamed],
  ['declared', 'fastcgi_body body body_chunked', 'request bodies are passed on as they come, and never kept in a file'],
  ['not applicable', 'charset charset_gzip_static', 'text is not recoded (`charset_map`, `source_charset`)'],
  [
    'not applicable',
    'ssl_ocsp ssl_stapling',
    'certificates of clients are not checked by OCSP, and responses of a file or store are not stapled',
  ],
  [
    'not applicable',
    'ssl_conf_command ssl_session_reuse',
    '`ssl_conf_command` and `ssl_session_cache` have no counterpart',
  ],
  ['not applicable', 'msie_refresh', '`msie_refresh` has no counterpart'],
  ['not applicable', 'proxy_xar', '`X-Accel-Redirect` has no counterpart'],
  [
    'not applicable',
    'proxy_limit_rate auth_delay http_max_headers',
    '`proxy_limit_rate`, `auth_delay` and `max_headers` have no counterpart',
  ],
  [
    'not applicable',
    'proxy_set_body proxy_store proxy_force_ranges',
    '`proxy_set_body`, `proxy_store` and `proxy_force_ranges` have no counterpart',
  ],
  ['not applicable', 'proxy_pass_request', '`proxy_pass_request_headers off` has no counterpart'],
  [
    'not applicable',
    'proxy_ssl_crl proxy_bind_transparent_capability',
    '`proxy_ssl_crl` and transparent `proxy_bind` have no counterpart',
  ],
  [
    'not applicable',
    'ignore_invalid_headers merge_slashes',
    '`ignore_invalid_headers`, `underscores_in_headers` and `merge_slashes off` have no counterpart',
  ],
  [
    'not applicable',
    'http_header_buffers',
    'requests are limited as a whole, not by line (`large_client_header_buffers`)',
  ],
  ['not applicable', 'http_method', 'TRACE and CONNECT are ordinary methods, as in the reference'],
  ['not applicable', 'ssl_verify_depth', '`ssl_verify_depth` has no counterpart'],
  [
    'not applicable',
    'worker_shutdown_timeout worker_shutdown_timeout_proxy_upgrade',
    '`worker_shutdown_timeout` has no counterpart',
  ],
];

const reasons: ReadonlyMap<string, readonly [kind: Kind, reason: string]> = new Map(
  entries.flatMap(([kind, files, reason]) => files.split(' ').map((file) => [file, [kind, reason]] as const)),
);

/** Returns the kind and the reason for a file; a file without an entry has not been looked at. */
export function reasonFor(file: string): string {
  const [kind, reason] = reasons.get(file) ?? ['open', 'not yet looked at'];
  return `${kind}: ${reason}`;
}
