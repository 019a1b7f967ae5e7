/** Shorthand placeholders, such as `{path}` for `{http.request.uri.path}`. They are valid in all tokens of a site block. */
import type { CaddyfileToken } from '../token.ts';
import type { Segment } from '../parser/site.ts';

const exact: ReadonlyMap<string, string> = new Map([
  ['host', 'http.request.host'],
  ['hostport', 'http.request.hostport'],
  ['port', 'http.request.port'],
  ['method', 'http.request.method'],
  ['uri', 'http.request.uri'],
  ['path', 'http.request.uri.path'],
  ['query', 'http.request.uri.query'],
  ['%uri', 'http.request.uri_escaped'],
  ['%path', 'http.request.uri.path_escaped'],
  ['%query', 'http.request.uri.query_escaped'],
  ['?query', 'http.request.uri.prefixed_query'],
  ['dir', 'http.request.uri.path.dir'],
  ['file', 'http.request.uri.path.file'],
  ['orig_method', 'http.request.orig_method'],
  ['orig_uri', 'http.request.orig_uri'],
  ['orig_path', 'http.request.orig_uri.path'],
  ['orig_dir', 'http.request.orig_uri.path.dir'],
  ['orig_file', 'http.request.orig_uri.path.file'],
  ['orig_query', 'http.request.orig_uri.query'],
  ['orig_?query', 'http.request.orig_uri.prefixed_query'],
  ['scheme', 'http.request.scheme'],
  ['uuid', 'http.request.uuid'],
  ['remote', 'http.request.remote'],
  ['remote_host', 'http.request.remote.host'],
  ['remote_port', 'http.request.remote.port'],
  ['client_ip', 'http.vars.client_ip'],
  ['tls_cipher', 'http.request.tls.cipher_suite'],
  ['tls_version', 'http.request.tls.version'],
  ['tls_client_fingerprint', 'http.request.tls.client.fingerprint'],
  ['tls_client_issuer', 'http.request.tls.client.issuer'],
  ['tls_client_serial', 'http.request.tls.client.serial'],
  ['tls_client_subject', 'http.request.tls.client.subject'],
  ['tls_client_certificate_pem', 'http.request.tls.client.certificate_pem'],
  ['tls_client_certificate_der_base64', 'http.request.tls.client.certificate_der_base64'],
  ['upstream_hostport', 'http.reverse_proxy.upstream.hostport'],
]);

/** Shorthand prefixes and their expansions. Each prefix is followed by a single label. */
const labelled: ReadonlyMap<string, string> = new Map([
  ['cookie', 'http.request.cookie.'],
  ['header', 'http.request.header.'],
  ['labels', 'http.request.host.labels.'],
  ['path', 'http.request.uri.path.'],
  ['file', 'http.request.uri.path.file.'],
  ['query', 'http.request.uri.query.'],
  ['vars', 'http.vars.'],
  ['file_match', 'http.matchers.file.'],
]);

/** Shorthand prefixes and their expansions. The text after each prefix may contain dots. */
const dotted: ReadonlyMap<string, string> = new Map([
  ['re', 'http.regexp.'],
  ['rp', 'http.reverse_proxy.'],
  ['resp', 'http.intercept.'],
  ['err', 'http.error.'],
]);

export function placeholderShorthands(): ReadonlyMap<string, string> {
  const prefixes = [...labelled, ...dotted].map(([name, long]) => [`${name}.`, long] as const);
  return new Map([...exact, ...prefixes]);
}

const placeholder = /\{([\w?%]+)(?:\.([\w.-]*))?\}/g;

function expandShorthands(text: string): string {
  if (!text.includes('{')) return text;
  return text.replace(placeholder, (whole: string, name: string, rest: string | undefined) => {
    const long = rest === undefined ? exact.get(name) : prefixOf(name, rest);
    return long === undefined ? whole : `{${long}${rest ?? ''}}`;
  });
}

function prefixOf(name: string, rest: string): string | undefined {
  return dotted.get(name) ?? (rest.includes('.') ? undefined : labelled.get(name));
}

/** Expands the shorthand placeholders in the tokens of a directive. */
export function expandSegment(segment: Segment): Segment {
  return segment.map((token: CaddyfileToken) => {
    const text = expandShorthands(token.text);
    return text === token.text ? token : token.withText(text);
  });
}
