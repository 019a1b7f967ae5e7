/** Supported nginx directives, by topic. */
import { everywhere, rules, type DirectiveRules } from './directive-rule.ts';

const noLimit = ['http', 'server', 'location', 'if'];
const inPlaces = ['http', 'server', 'location'];

export const translated: DirectiveRules = {
  ...rules('http events', { in: ['main'] }),
  ...rules('server', { in: ['http'] }),
  ...rules('upstream', { in: ['http'] }),
  ...rules('map geo split_clients', { in: ['http'], opaque: true }),
  ...rules('types', { in: inPlaces, opaque: true }),
  ...rules('location', { in: ['server', 'location'] }),
  ...rules('listen server_name', { in: ['server'] }),
  ...rules('if', { in: ['server', 'location'] }),
  ...rules('set return rewrite break', { in: ['server', 'location', 'if'] }),
  ...rules('limit_except', { in: ['location'] }),
  ...rules('internal alias', { in: ['location'] }),
  ...rules('try_files', { in: ['server', 'location'] }),
  ...rules('root', { in: noLimit }),
  ...rules('index autoindex default_type charset charset_types absolute_redirect port_in_redirect', { in: everywhere }),
  ...rules('proxy_pass grpc_pass fastcgi_pass', { in: ['location', 'if', 'limit_except'] }),
  ...rules(
    `proxy_set_header proxy_hide_header proxy_redirect proxy_cookie_path proxy_cookie_domain proxy_intercept_errors
     proxy_connect_timeout proxy_read_timeout proxy_send_timeout proxy_buffering proxy_method proxy_bind proxy_ssl_verify
     proxy_ssl_trusted_certificate proxy_ssl_name proxy_ssl_certificate proxy_ssl_certificate_key grpc_set_header
     grpc_hide_header grpc_connect_timeout grpc_read_timeout grpc_send_timeout grpc_intercept_errors grpc_ssl_verify
     grpc_ssl_trusted_certificate grpc_ssl_name fastcgi_param fastcgi_index fastcgi_split_path_info fastcgi_hide_header
     fastcgi_intercept_errors fastcgi_connect_timeout fastcgi_read_timeout fastcgi_send_timeout`,
    { in: noLimit },
  ),
  ...rules('add_header expires error_page access_log error_log client_max_body_size', { in: [...everywhere, 'main'] }),
  ...rules(
    'gzip gzip_comp_level gzip_types gzip_min_length gzip_static brotli brotli_types brotli_static brotli_min_length',
    {
      in: noLimit,
    },
  ),
  ...rules('allow deny satisfy auth_basic auth_basic_user_file auth_request auth_request_set', { in: everywhere }),
  ...rules(
    `ssl ssl_reject_handshake ssl_crl ssl_certificate ssl_certificate_key ssl_protocols ssl_ecdh_curve ssl_verify_client ssl_client_certificate
     ssl_trusted_certificate http2 client_header_timeout client_body_timeout send_timeout
     large_client_header_buffers set_real_ip_from real_ip_header`,
    { in: inPlaces },
  ),
  ...rules('keepalive_timeout', { in: [...inPlaces, 'upstream'] }),
  ...rules('least_conn ip_hash hash random keepalive', { in: ['upstream'] }),
};
