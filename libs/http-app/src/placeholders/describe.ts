/** Descriptions of request placeholders for the reference documentation. The type checker reports missing descriptions. */
import type { PlaceholderGroup } from '@sluice/registry';
import type { ErrorPlaceholder } from './error.ts';
import type { FixedPlaceholder } from './fixed.ts';
import type { TlsPlaceholder } from './tls.ts';

const ofConnections: Readonly<Record<TlsPlaceholder, string>> = {
  'http.request.tls.version': 'TLS version: `tls1.2` or `tls1.3`.',
  'http.request.tls.cipher_suite': 'IANA name of the cipher suite.',
  'http.request.tls.resumed': '`true` if the session was resumed.',
  'http.request.tls.early_data':
    '`true` if the request arrived as early data (0-RTT), before the handshake was complete. Not available in Caddy.',
  'http.request.tls.proto': 'Application protocol negotiated with ALPN.',
  'http.request.tls.proto_mutual': 'Always `true`.',
  'http.request.tls.server_name': 'Server name requested by the client (SNI).',
  'http.request.tls.ech': 'Always `false`: Encrypted Client Hello is not supported.',
  'http.request.tls.client.verify':
    'Result of client certificate verification: `NONE` (no certificate), `SUCCESS`, or `FAILED:` with the reason.',
  'http.request.tls.client.fingerprint': 'SHA-256 hash of the client certificate, in hexadecimal.',
  'http.request.tls.client.fingerprint_sha1': 'SHA-1 hash of the client certificate, in hexadecimal.',
  'http.request.tls.client.public_key': 'Public key of the client certificate, in hexadecimal.',
  'http.request.tls.client.public_key_sha256': "SHA-256 hash of the client certificate's public key, in hexadecimal.",
  'http.request.tls.client.certificate_pem': 'Client certificate in PEM format.',
  'http.request.tls.client.certificate_der_base64': 'Client certificate as base64-encoded DER.',
  'http.request.tls.client.issuer': "Distinguished name of the client certificate's issuer.",
  'http.request.tls.client.subject': "Distinguished name of the client certificate's subject.",
  'http.request.tls.client.serial': 'Serial number of the client certificate.',
  'http.request.tls.client.serial_hex': 'Serial number of the client certificate, in hexadecimal.',
  'http.request.tls.client.san.dns_names': 'DNS names in the client certificate.',
  'http.request.tls.client.san.dns_names.<number>':
    'Single subject alternative name of this type in the client certificate, by index, starting at 0.',
  'http.request.tls.client.san.emails': 'Email addresses in the client certificate.',
  'http.request.tls.client.san.emails.<number>':
    'Single subject alternative name of this type in the client certificate, by index, starting at 0.',
  'http.request.tls.client.san.ips': 'IP addresses in the client certificate.',
  'http.request.tls.client.san.ips.<number>':
    'Single subject alternative name of this type in the client certificate, by index, starting at 0.',
  'http.request.tls.client.san.uris': 'URIs in the client certificate.',
  'http.request.tls.client.san.uris.<number>':
    'Single subject alternative name of this type in the client certificate, by index, starting at 0.',
};

const withoutKey: Readonly<Record<FixedPlaceholder, string>> = {
  'http.request.method': 'Request method, after rewrites.',
  'http.request.orig_method': 'Original request method, before rewrites.',
  'http.request.uri': 'Path and query, after rewrites.',
  'http.request.uri_escaped': 'Path and query, after rewrites, query-escaped.',
  'http.request.orig_uri': 'Original path and query, before rewrites.',
  'http.request.host': 'Host, without port.',
  'http.request.hostport': 'Host and port, as sent by the client.',
  'http.request.port': 'Port in the Host header field; empty if there is none.',
  'http.request.proto': 'Protocol version, such as `HTTP/1.1` or `HTTP/2.0`.',
  'http.request.proto_name': 'Alias of `{http.request.proto}`.',
  'http.request.scheme': '`http` or `https`.',
  'http.request.uuid': 'UUID of the request, generated on first use.',
  'http.request.duration': 'Time since the request was received, such as `1.5ms`.',
  'http.request.duration_ms': 'Time since the request was received, in milliseconds.',
  'http.request.body': 'Request body as text. Buffers the whole body.',
  'http.request.body_base64': 'Request body as base64. Buffers the whole body.',
  'http.request.remote': 'IP address and port of the peer; `@` for a Unix socket.',
  'http.request.local': 'IP address and port that the client connected to.',
  'http.shutting_down': '`true` during the shutdown delay, before the server stops or its configuration is replaced.',
  'http.time_until_shutdown': 'Remaining shutdown delay, such as `3s`; empty if the server is not shutting down.',
};

const withKey: Readonly<Record<string, string>> = {
  'http.request.header.<field>': 'Value of a request header field. Several values are joined with commas.',
  'http.request.cookie.<name>': 'Value of a cookie.',
  'http.request.host.labels.<number>':
    'Label of the host name, by index from the right, starting at 0. For `www.example.com`, label 0 is `com`.',
  'http.request.remote.host': 'IP address of the peer.',
  'http.request.remote.port': 'Port of the peer.',
  'http.request.remote.host/<bits>':
    'Network of the peer, with the given prefix length: `/24`, or `/24,64` for IPv4 and IPv6.',
  'http.request.local.host': 'IP address that the client connected to.',
  'http.request.local.port': 'Port that the client connected to.',
  'http.request.uri.path': 'Path, decoded.',
  'http.request.uri.path_escaped': 'Path, query-escaped.',
  'http.request.uri.path.<number>': 'Path segment, by index, starting at 0.',
  'http.request.uri.path.dir': 'Directory part of the path, including the trailing slash.',
  'http.request.uri.path.file': 'Last segment of the path.',
  'http.request.uri.path.file.base': 'Last segment of the path, without its extension.',
  'http.request.uri.path.file.ext': 'File extension of the path, including the dot.',
  'http.request.uri.query': 'Query string, without the question mark.',
  'http.request.uri.query_escaped': 'Query string, query-escaped.',
  'http.request.uri.prefixed_query': 'Query string with the question mark; empty if there is no query.',
  'http.request.uri.query.<name>': 'Value of a query parameter.',
  'http.request.orig_uri.path': 'Original path, decoded.',
  'http.request.orig_uri.path.<number>': 'Segment of the original path, by index, starting at 0.',
  'http.request.orig_uri.path.dir': 'Directory part of the original path, including the trailing slash.',
  'http.request.orig_uri.path.file': 'Last segment of the original path.',
  'http.request.orig_uri.path.file_escaped': 'Last segment of the original path, still percent-encoded.',
  'http.request.orig_uri.query': 'Original query string.',
  'http.request.orig_uri.prefixed_query': 'Original query string with the question mark; empty if there is no query.',
  'http.response.header.<field>': 'Value of a response header field, if it is already set.',
  'http.vars.<name>': 'Variable set by the `vars` handler or directive.',
  'http.vars.client_ip': 'Client IP address, as reported by trusted proxies.',
  'http.vars.trusted_proxy': '`true` if the peer is a trusted proxy.',
  'http.regexp.<name>.<group>': 'Capture group of a regular expression, by number or name; 0 is the whole match.',
  'http.regexp.<group>': 'Capture group of the last regular expression that matched.',
};

const ofErrors: Readonly<Record<ErrorPlaceholder, string>> = {
  'http.error': 'Error, including its ID, status code and message.',
  'http.error.status_code': 'Status code of the error.',
  'http.error.status_text': 'Status text, such as `Not Found`.',
  'http.error.message': 'Error message.',
  'http.error.trace': 'Source location of the error.',
  'http.error.id': 'ID of the error, also written to the log.',
};

/** Request placeholders, grouped by where they are available. */
export const requestPlaceholders: readonly PlaceholderGroup[] = [
  {
    title: 'Requests',
    where: 'Options of handlers and matchers, unless documented otherwise.',
    names: { ...withoutKey, ...withKey },
  },
  {
    title: 'TLS connections',
    where: 'Wherever request placeholders are available. Empty on connections without TLS.',
    names: ofConnections,
  },
  {
    title: 'Errors',
    where: 'Error routes, in `errors.routes` of a server or of the `subroute` handler.',
    names: ofErrors,
  },
  {
    title: 'Intercepted responses',
    where: 'Routes of the `intercept` handler.',
    names: {
      'http.intercept.status_code': 'Status code of the intercepted response.',
      'http.intercept.header.<field>': 'Response header field.',
    },
  },
];
