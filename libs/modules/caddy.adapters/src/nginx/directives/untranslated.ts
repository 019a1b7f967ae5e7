/** Unsupported nginx directives and the consequences of ignoring them. */
import { everywhere, rules, type DirectiveRules } from './directive-rule.ts';

const anywhere = [...everywhere, 'main', 'events', 'upstream'];

function lost(consequence: string, names: string): DirectiveRules {
  return rules(names, { in: anywhere, consequence });
}

function lostBlock(consequence: string, names: string): DirectiveRules {
  return rules(names, { in: anywhere, consequence, opaque: true });
}

/** Rules for directives that cause a warning. */
export const untranslated: DirectiveRules = {
  ...lostBlock('TCP and UDP proxying is not supported; this block is ignored', 'stream'),
  ...lostBlock('mail proxying is not supported; this block is ignored', 'mail'),
  ...lost(
    'the process keeps the user and limits that it was started with',
    'user worker_rlimit_nofile worker_rlimit_core worker_priority',
  ),
  ...lost('set the number of worker threads with --workers', 'worker_processes worker_cpu_affinity thread_pool'),
  ...lost('nginx modules cannot be loaded', 'load_module'),
  ...lost(
    'it has no effect: use command-line flags or the service manager',
    'pid daemon master_process env lock_file working_directory pcre_jit timer_resolution',
  ),
  ...lost(
    'it has no effect: there is no connection limit per worker',
    'worker_connections multi_accept use accept_mutex accept_mutex_delay debug_connection worker_aio_requests',
  ),
  ...lost(
    'requests are not rate-limited; use the rate_limit handler',
    'limit_req limit_req_zone limit_req_status limit_req_log_level limit_req_dry_run',
  ),
  ...lost(
    'connections are not limited',
    'limit_conn limit_conn_zone limit_conn_status limit_conn_log_level limit_conn_dry_run',
  ),
  ...lost('response bandwidth is not limited', 'limit_rate limit_rate_after'),
  ...lost(
    'response bodies are sent unmodified',
    'sub_filter sub_filter_once sub_filter_types sub_filter_last_modified addition_types add_before_body add_after_body',
  ),
  ...lost(
    'upstream responses are not cached',
    'proxy_cache proxy_cache_path proxy_cache_key proxy_cache_valid proxy_cache_use_stale proxy_cache_bypass proxy_cache_lock proxy_cache_lock_timeout proxy_cache_lock_age proxy_cache_methods proxy_cache_min_uses proxy_cache_revalidate proxy_cache_background_update proxy_no_cache proxy_cache_convert_head proxy_cache_max_range_offset fastcgi_cache fastcgi_cache_path fastcgi_cache_key fastcgi_cache_valid fastcgi_cache_use_stale fastcgi_cache_bypass fastcgi_cache_lock fastcgi_no_cache fastcgi_cache_methods fastcgi_cache_min_uses fastcgi_cache_background_update slice',
  ),
  ...lost(
    'responses are not saved to files',
    'proxy_store proxy_store_access fastcgi_store proxy_temp_path client_body_temp_path fastcgi_temp_path',
  ),
  ...lost(
    'it has no effect: bodies are streamed with fixed buffer limits',
    'proxy_buffers proxy_buffer_size proxy_busy_buffers_size proxy_max_temp_file_size proxy_temp_file_write_size proxy_request_buffering client_body_buffer_size client_header_buffer_size client_body_in_file_only client_body_in_single_buffer output_buffers postpone_output fastcgi_buffers fastcgi_buffer_size fastcgi_busy_buffers_size fastcgi_buffering fastcgi_request_buffering fastcgi_max_temp_file_size gzip_buffers proxy_limit_rate grpc_buffer_size subrequest_output_buffer_size',
  ),
  ...lost(
    'it has no effect: the HTTP version depends on the upstream, and connections are kept alive',
    'proxy_http_version proxy_socket_keepalive fastcgi_keep_conn fastcgi_socket_keepalive keepalive_requests keepalive_time keepalive_disable proxy_ssl_session_reuse proxy_ssl_server_name grpc_ssl_server_name',
  ),
  ...lost(
    'a failed request is tried once on each server of the upstream',
    'proxy_next_upstream proxy_next_upstream_tries proxy_next_upstream_timeout fastcgi_next_upstream fastcgi_next_upstream_tries fastcgi_next_upstream_timeout grpc_next_upstream',
  ),
  ...lost(
    'header and body of the request are always forwarded',
    'proxy_pass_request_body proxy_pass_request_headers proxy_set_body fastcgi_pass_request_body fastcgi_pass_request_headers',
  ),
  ...lost(
    'all upstream header fields that are not hidden are forwarded',
    'proxy_pass_header proxy_ignore_headers fastcgi_pass_header fastcgi_ignore_headers grpc_pass_header proxy_ignore_client_abort fastcgi_ignore_client_abort proxy_force_ranges proxy_cookie_flags',
  ),
  ...lost(
    'Sluice uses its own secure defaults for TLS',
    'ssl_ciphers ssl_prefer_server_ciphers ssl_dhparam ssl_conf_command ssl_buffer_size ssl_early_data proxy_ssl_ciphers proxy_ssl_protocols grpc_ssl_ciphers grpc_ssl_protocols',
  ),
  ...lost('longer certificate chains are accepted', 'ssl_verify_depth proxy_ssl_verify_depth grpc_ssl_verify_depth'),
  ...lost('upstreams with a revoked certificate are trusted', 'proxy_ssl_crl grpc_ssl_crl'),
  ...lost('encrypted private keys cannot be loaded', 'ssl_password_file proxy_ssl_password_file'),
  ...lost(
    'it has no effect: TLS sessions are resumed with tickets',
    'ssl_session_cache ssl_session_timeout ssl_session_tickets ssl_session_ticket_key',
  ),
  ...lost(
    'it has no effect: OCSP stapling is always enabled',
    'ssl_stapling ssl_stapling_verify ssl_stapling_file ssl_stapling_responder',
  ),
  ...lost(
    'it has no effect: Sluice manages file and socket I/O itself',
    'sendfile sendfile_max_chunk tcp_nopush tcp_nodelay aio aio_write directio directio_alignment open_file_cache open_file_cache_valid open_file_cache_min_uses open_file_cache_errors read_ahead reset_timedout_connection lingering_close lingering_time lingering_timeout types_hash_max_size types_hash_bucket_size server_names_hash_max_size server_names_hash_bucket_size variables_hash_max_size variables_hash_bucket_size map_hash_max_size map_hash_bucket_size proxy_headers_hash_max_size proxy_headers_hash_bucket_size connection_pool_size request_pool_size http2_max_concurrent_streams http2_chunk_size http2_push http2_push_preload http2_recv_timeout http2_idle_timeout http2_max_requests zone open_log_file_cache',
  ),
  ...lost('it has no effect: error pages do not contain the server version', 'server_tokens'),
  ...lost(
    'log entries are JSON objects',
    'log_format log_not_found log_subrequest rewrite_log uninitialized_variable_warn',
  ),
  ...lost(
    'it has no effect: compression depends only on content type and length',
    'gzip_vary gzip_proxied gzip_http_version gzip_disable gunzip brotli_comp_level brotli_buffers brotli_window',
  ),
  ...lost('redirects use the host and port of the request', 'server_name_in_redirect'),
  ...lost('consecutive slashes are always merged', 'merge_slashes'),
  ...lost(
    'header fields with characters other than letters, digits and hyphens are dropped',
    'underscores_in_headers ignore_invalid_headers',
  ),
  ...lost(
    'validators and ranges are handled as specified by HTTP',
    'etag if_modified_since max_ranges disable_symlinks msie_padding msie_refresh chunked_transfer_encoding',
  ),
  ...lost('directory listings look different', 'autoindex_exact_size autoindex_format autoindex_localtime'),
  ...lost('the client address is the last untrusted address in the chain', 'real_ip_recursive'),
  ...lost('an error that occurs in an error page does not lead to another error page', 'recursive_error_pages'),
  ...lost('it has no effect: upstream names are resolved by the system', 'resolver resolver_timeout'),
  ...lost('trailers are not added', 'add_trailer'),
  ...lost('requests are not mirrored', 'mirror mirror_request_body'),
  ...lost(
    'WebDAV methods are rejected',
    'dav_methods dav_ext_methods create_full_put_path dav_access min_delete_depth',
  ),
  ...lost(
    'pages are sent unmodified',
    'ssi ssi_types ssi_silent_errors ssi_last_modified source_charset override_charset xslt_stylesheet xml_entities image_filter image_filter_buffer image_filter_jpeg_quality',
  ),
  ...lost(
    'signed links are not verified; any client that knows the path can fetch the file',
    'secure_link secure_link_md5 secure_link_secret referer_hash_max_size',
  ),
  ...lost('$invalid_referer is always empty, so no request is rejected because of its referrer', 'valid_referers'),
  ...lost('tracking cookies are not set', 'userid userid_name userid_domain userid_path userid_expires userid_p3p'),
  ...lost('random index files are not supported', 'random_index'),
  ...lost(
    'client geolocation is not available; its variables are empty',
    'geoip_country geoip_city geoip_org geoip_proxy geoip2',
  ),
  ...lost(
    'the location returns 501',
    'uwsgi_pass scgi_pass memcached_pass stub_status empty_gif flv mp4 perl js_content',
  ),
  ...lost(
    'it has no effect: the protocol is not supported',
    'uwsgi_param scgi_param uwsgi_read_timeout uwsgi_connect_timeout uwsgi_send_timeout uwsgi_buffers uwsgi_buffer_size scgi_read_timeout http3 http3_hq quic_retry quic_gso ssl_early_data',
  ),
  ...lost(
    'nginx scripts do not run',
    'js_import js_set js_path perl_modules perl_require perl_set lua_package_path lua_shared_dict more_set_headers more_clear_headers',
  ),
  ...lost(
    'it has no effect: FastCGI output is not inspected or limited',
    'fastcgi_catch_stderr fastcgi_limit_rate fastcgi_force_ranges fastcgi_bind',
  ),
};
