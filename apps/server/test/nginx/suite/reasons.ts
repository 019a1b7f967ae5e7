/** Reasons why tests of nginx's test suite fail, by file name. */

export type Kind = 'declared' | 'not applicable' | 'defect';

const names = 'the tests compare field names, which Sluice sends in canonical case (`X-Uri` for `X-URI`)';
const ssi = 'the tests use SSI';
const logs = 'log entries are JSON objects';
const streamed = 'request bodies are not buffered; the test upstream handles one connection at a time';
const resolver = 'Sluice uses the system resolver and ignores `resolver`';
const conf = (text: string): string => `the adapter rejects ${text}`;

const entries: readonly (readonly [kind: Kind, files: string, reason: string])[] = [
  ['not applicable', 'http_resolver http_resolver_aaaa http_resolver_cname', resolver],
  ['not applicable', 'syslog debug_connection_syslog', '`access_log` and `error_log` do not support syslog'],
  ['not applicable', 'autoindex_format', '`autoindex_format` (XML, JSON, JSONP) is not supported'],
  ['declared', 'autoindex', 'directory listings of Sluice and nginx look different'],
  [
    'declared',
    'auth_basic',
    conf('`auth_basic_user_file` with a variable, because files are read when the configuration is adapted'),
  ],
  ['declared', 'ssl_crl', conf('`ssl_crl` for client certificates, because Sluice would accept revoked certificates')],
  ['not applicable', 'http_listen', conf('`listen` with a port range')],
  ['not applicable', 'upstream_max_conns', conf('`proxy_pass http:/$uri`, because clients could choose the upstream')],
  ['declared', 'error_log access_log access_log_variables debug_connection debug_connection_unix', logs],
  ['declared', 'proxy_upgrade ssl_proxy_upgrade proxy_variables post_action', logs],
  ['declared', 'http_host', '`$host` keeps its case and its trailing dot'],
  ['declared', 'http_server_name', '`$host`, `$server_name` and the captures of `server_name` keep their case'],
  [
    'not applicable',
    'proxy_protocol proxy_protocol2 ssl_proxy_protocol',
    'PROXY protocol variables (`$proxy_protocol_addr`) are not supported',
  ],
  ['not applicable', 'referer', '`valid_referers` is not supported'],
  [
    'declared',
    'index headers rewrite http_error_page http_try_files http_uri',
    `${names}; redirects and responses with status 306 or 405 have no body`,
  ],
  ['not applicable', 'rewrite_set proxy_keepalive subrequest_output_buffer_size', ssi],
  ['not applicable', 'request_id proxy_chunked', ssi],
  [
    'declared',
    'auth_request auth_request_satisfy auth_request_set',
    '`auth_request` supports only `proxy_pass` and `return`; the tests use a file, a cache or `set`',
  ],
  ['not applicable', 'server_tokens', '`server_tokens` is not supported'],
  ['not applicable', 'trailers', '`add_trailer` is not supported'],
  ['not applicable', 'proxy_cookie_flags', '`proxy_cookie_flags` is not supported'],
  [
    'not applicable',
    'http_keepalive http_keepalive_shutdown',
    '`keepalive_requests`, `keepalive_disable` and `msie6` are not supported',
  ],
  ['declared', 'proxy_request_buffering proxy_request_buffering_chunked proxy_request_buffering_ssl', streamed],
  ['declared', 'fastcgi_body body body_chunked', 'request bodies are not buffered or written to a file'],
  [
    'not applicable',
    'charset charset_gzip_static',
    'character set conversion (`charset_map`, `source_charset`) is not supported',
  ],
  [
    'not applicable',
    'ssl_ocsp ssl_stapling',
    'OCSP for client certificates, and stapling from a file, are not supported',
  ],
  [
    'not applicable',
    'ssl_conf_command ssl_session_reuse',
    '`ssl_conf_command` and `ssl_session_cache` are not supported',
  ],
  ['not applicable', 'msie_refresh', '`msie_refresh` is not supported'],
  ['not applicable', 'proxy_xar', '`X-Accel-Redirect` is not supported'],
  [
    'not applicable',
    'proxy_limit_rate auth_delay http_max_headers',
    '`proxy_limit_rate`, `auth_delay` and `max_headers` are not supported',
  ],
  [
    'not applicable',
    'proxy_set_body proxy_store proxy_force_ranges',
    '`proxy_set_body`, `proxy_store` and `proxy_force_ranges` are not supported',
  ],
  ['not applicable', 'proxy_pass_request', '`proxy_pass_request_headers off` is not supported'],
  [
    'not applicable',
    'proxy_ssl_crl proxy_bind_transparent_capability',
    '`proxy_ssl_crl` and transparent `proxy_bind` are not supported',
  ],
  [
    'not applicable',
    'ignore_invalid_headers merge_slashes',
    '`ignore_invalid_headers`, `underscores_in_headers` and `merge_slashes off` are not supported',
  ],
  [
    'not applicable',
    'http_header_buffers',
    'the size limit (`large_client_header_buffers`) applies to the whole header, not to each line',
  ],
  ['not applicable', 'http_method', 'TRACE and CONNECT are treated as ordinary methods, as in Caddy'],
  ['not applicable', 'ssl_verify_depth', '`ssl_verify_depth` is not supported'],
  [
    'not applicable',
    'worker_shutdown_timeout worker_shutdown_timeout_proxy_upgrade',
    '`worker_shutdown_timeout` is not supported',
  ],
];

const reasons: ReadonlyMap<string, readonly [kind: Kind, reason: string]> = new Map(
  entries.flatMap(([kind, files, reason]) => files.split(' ').map((file) => [file, [kind, reason]] as const)),
);

/** Returns the kind and the reason of a file's failures, or `open` if they have not been examined. */
export function reasonFor(file: string): string {
  const entry = reasons.get(file);
  return entry === undefined ? 'open' : entry.join(': ');
}
