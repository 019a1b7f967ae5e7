/** Descriptions of request placeholders. Only the reference documentation loads them; the compiler ensures that none is missing. */
import type { PlaceholderGroup } from '@sluice/registry';
import type { ErrorPlaceholder } from './error.ts';
import type { FixedPlaceholder } from './fixed.ts';
import type { TlsPlaceholder } from './tls.ts';

const ofConnections: Readonly<Record<TlsPlaceholder, string>> = {
  'http.request.tls.version': 'Version of TLS: `tls1.2`, `tls1.3`.',
  'http.request.tls.cipher_suite': 'The cipher suite, by its IANA name.',
  'http.request.tls.resumed': 'Whether the session goes on from an earlier connection.',
  'http.request.tls.proto': 'The protocol that was negotiated (ALPN).',
  'http.request.tls.proto_mutual': 'Always true: client and server agree on the protocol.',
  'http.request.tls.server_name': 'The name that the client asked for (SNI).',
  'http.request.tls.ech': 'Whether the ClientHello was encrypted: false, as there are no such keys.',
  'http.request.tls.client.verify': '`NONE` without a certificate of the client, `SUCCESS`, or `FAILED:` and why.',
  'http.request.tls.client.fingerprint': 'SHA-256 of the certificate of the client, in hexadecimal.',
  'http.request.tls.client.fingerprint_sha1': 'SHA-1 of the certificate, in hexadecimal.',
  'http.request.tls.client.public_key': 'The public key of the certificate, in hexadecimal.',
  'http.request.tls.client.public_key_sha256': 'SHA-256 of the public key, in hexadecimal.',
  'http.request.tls.client.certificate_pem': 'The certificate as PEM.',
  'http.request.tls.client.certificate_der_base64': 'The certificate as base64 of its DER.',
  'http.request.tls.client.issuer': 'Who issued the certificate: a distinguished name.',
  'http.request.tls.client.subject': 'Whose certificate it is: a distinguished name.',
  'http.request.tls.client.serial': 'Serial number of the certificate.',
  'http.request.tls.client.serial_hex': 'Serial number in hexadecimal.',
  'http.request.tls.client.san.dns_names': 'Names in the certificate.',
  'http.request.tls.client.san.dns_names.<number>': 'One of them, from 0.',
  'http.request.tls.client.san.emails': 'Addresses of e-mail in the certificate.',
  'http.request.tls.client.san.emails.<number>': 'One of them, from 0.',
  'http.request.tls.client.san.ips': 'Addresses in the certificate.',
  'http.request.tls.client.san.ips.<number>': 'One of them, from 0.',
  'http.request.tls.client.san.uris': 'URIs in the certificate.',
  'http.request.tls.client.san.uris.<number>': 'One of them, from 0.',
};

const withoutKey: Readonly<Record<FixedPlaceholder, string>> = {
  'http.request.method': 'Method, as it is now.',
  'http.request.orig_method': 'Method, as the client sent it.',
  'http.request.uri': 'Path and query, as they are now.',
  'http.request.uri_escaped': 'Path and query, escaped for a query.',
  'http.request.orig_uri': 'Path and query, as the client sent them.',
  'http.request.host': 'Host, without port.',
  'http.request.hostport': 'Host and port, as the client sent them.',
  'http.request.port': 'Port of the host; nothing where the client named none.',
  'http.request.proto': 'Protocol: `HTTP/1.1`, `HTTP/2.0`.',
  'http.request.proto_name': 'The same.',
  'http.request.scheme': '`http` or `https`.',
  'http.request.uuid': 'An identifier of the request, made when it is first asked for.',
  'http.request.duration': 'Time since the request came, such as `1.5ms`.',
  'http.request.duration_ms': 'The same in milliseconds.',
  'http.request.body': 'The body, as text. It is read whole into memory.',
  'http.request.body_base64': 'The body, as base64.',
  'http.request.remote': 'Address and port of the peer; `@` for one on a Unix socket.',
  'http.request.local': 'Address and port that the client connected to.',
  'http.shutting_down': 'Whether the server is about to end, or its configuration to be replaced.',
  'http.time_until_shutdown': 'How long it goes on serving, such as `3s`; nothing if it is not about to end.',
};

const withKey: Readonly<Record<string, string>> = {
  'http.request.header.<field>': 'A header field; several lines are joined with commas.',
  'http.request.cookie.<name>': 'Value of a cookie.',
  'http.request.host.labels.<number>': 'A label of the host from the right: 0 is `com` of `www.example.com`.',
  'http.request.remote.host': 'Address of the peer.',
  'http.request.remote.port': 'Port of the peer.',
  'http.request.remote.host/<bits>': 'Network of the peer: `/24`, or `/24,64` for IPv4 and IPv6.',
  'http.request.local.host': 'Address that the client connected to.',
  'http.request.local.port': 'Port that the client connected to.',
  'http.request.uri.path': 'The path, decoded.',
  'http.request.uri.path_escaped': 'The path, escaped for a query.',
  'http.request.uri.path.<number>': 'A part of the path, from 0.',
  'http.request.uri.path.dir': 'The path up to its last slash.',
  'http.request.uri.path.file': 'The path after its last slash.',
  'http.request.uri.path.file.base': 'The last part of the path, without its extension.',
  'http.request.uri.path.file.ext': 'The extension, with its dot.',
  'http.request.uri.query': 'The query, without question mark.',
  'http.request.uri.query_escaped': 'The query, escaped for a query.',
  'http.request.uri.prefixed_query': 'The query with its question mark; nothing without a query.',
  'http.request.uri.query.<name>': 'A parameter of the query.',
  'http.request.orig_uri.path': 'The path, decoded, as the client sent it.',
  'http.request.orig_uri.path.<number>': 'A part of that path, from 0.',
  'http.request.orig_uri.path.dir': 'That path up to its last slash.',
  'http.request.orig_uri.path.file': 'That path after its last slash.',
  'http.request.orig_uri.path.file_escaped': 'The same, not decoded.',
  'http.request.orig_uri.query': 'The query, as the client sent it.',
  'http.request.orig_uri.prefixed_query': 'That query with its question mark; nothing without a query.',
  'http.response.header.<field>': 'A header field of the response, as far as it is set.',
  'http.vars.<name>': 'A variable, as the handler `vars` sets it.',
  'http.vars.client_ip': 'Address of the client, as trusted proxies name it.',
  'http.vars.trusted_proxy': 'Whether the peer is a proxy that is trusted.',
  'http.regexp.<name>.<group>': 'A group of a regular expression that matched, by number or name; 0 is all of it.',
  'http.regexp.<group>': 'The same of the expression that matched last.',
};

const ofErrors: Readonly<Record<ErrorPlaceholder, string>> = {
  'http.error': 'The error: its identifier, status and message.',
  'http.error.status_code': 'Status that the error asks for.',
  'http.error.status_text': 'What the status is called.',
  'http.error.message': 'Message of the error.',
  'http.error.trace': 'Where the error was raised.',
  'http.error.id': 'Identifier of the error, which the log has too.',
};

/** Placeholders grouped by availability. */
export const requestPlaceholders: readonly PlaceholderGroup[] = [
  {
    title: 'Requests',
    where: 'Options of handlers and matchers, unless their page says otherwise.',
    names: { ...withoutKey, ...withKey },
  },
  { title: 'TLS of requests', where: 'As those of requests; empty on connections without TLS.', names: ofConnections },
  {
    title: 'Errors',
    where: 'Error routes: `errors.routes` of a server or of the handler `subroute`.',
    names: ofErrors,
  },
  {
    title: 'Intercepted responses',
    where: 'Routes of the handler `intercept`.',
    names: {
      'http.intercept.status_code': 'Status of the response.',
      'http.intercept.header.<field>': 'A header field of the response.',
    },
  },
];
