/** Variables of nginx and the placeholders that have the same value here. */
import type { Scope } from '../scope.ts';
import { cleanPath, type Site } from '../site.ts';

/** What a variable is looked up with. */
export interface Lookup {
  readonly site: Site;
  readonly scope: Scope;
  readonly name: string;
}

type Resolve = (lookup: Lookup) => string;

/** Variables whose value is always the same placeholder. */
const fixed: Readonly<Record<string, string>> = {
  request_uri: '{http.request.orig_uri}',
  args: '{http.request.uri.query}',
  query_string: '{http.request.uri.query}',
  host: '{http.request.host}',
  http_host: '{http.request.hostport}',
  hostname: '{system.hostname}',
  remote_addr: '{http.vars.client_ip}',
  binary_remote_addr: '{http.vars.client_ip}',
  realip_remote_addr: '{http.request.remote.host}',
  proxy_protocol_addr: '{http.request.remote.host}',
  proxy_protocol_port: '{http.request.remote.port}',
  remote_port: '{http.request.remote.port}',
  remote_user: '{http.auth.user.id}',
  scheme: '{http.request.scheme}',
  server_addr: '{http.request.local.host}',
  server_port: '{http.request.local.port}',
  server_protocol: '{http.request.proto}',
  request_method: '{http.request.method}',
  request: '{http.request.method} {http.request.orig_uri} {http.request.proto}',
  request_body: '{http.request.body}',
  request_id: '{http.request.uuid}',
  request_time: '{http.request.duration_ms}',
  content_type: '{http.request.header.Content-Type}',
  content_length: '{http.request.header.Content-Length}',
  ssl_cipher: '{http.request.tls.cipher_suite}',
  ssl_server_name: '{http.request.tls.server_name}',
  ssl_client_s_dn: '{http.request.tls.client.subject}',
  ssl_client_i_dn: '{http.request.tls.client.issuer}',
  ssl_client_serial: '{http.request.tls.client.serial_hex}',
  ssl_client_fingerprint: '{http.request.tls.client.fingerprint_sha1}',
  ssl_client_verify: '{http.request.tls.client.verify}',
  ssl_client_cert: '{http.request.tls.client.certificate_pem}',
  ssl_client_raw_cert: '{http.request.tls.client.certificate_pem}',
  time_iso8601: '{time.now}',
  msec: '{time.now.unix_ms}',
  upstream_addr: '{http.reverse_proxy.upstream.hostport}',
  upstream_status: '{http.reverse_proxy.status_code}',
  status: '{http.error.status_code}',
  proxy_add_x_forwarded_for: '{http.request.header.X-Forwarded-For}, {http.vars.client_ip}',
  nginx_version: '1.0',
  pid: '{system.pid}',
};

/** Variables that depend on where they stand. */
const computed: Readonly<Record<string, Resolve>> = {
  uri: uriOf,
  document_uri: uriOf,
  fastcgi_script_name: uriOf,
  is_args: ({ site }) => site.use('is_args'),
  https: ({ site }) => site.use('https'),
  ssl_protocol: ({ site }) => site.use('ssl_protocol'),
  ssl_session_reused: ({ site }) => site.use('ssl_session_reused'),
  server_name: ({ site }) => site.scope.value('server_name') ?? '',
};

/** Families of variables, by the beginning of their names. */
const families: readonly (readonly [prefix: string, resolve: (rest: string) => string])[] = [
  ['arg_', (rest) => `{http.request.uri.query.${rest}}`],
  ['http_', (rest) => `{http.request.header.${fieldName(rest)}}`],
  ['cookie_', (rest) => `{http.request.cookie.${rest}}`],
  ['upstream_http_', (rest) => `{http.reverse_proxy.header.${fieldName(rest)}}`],
  ['sent_http_', (rest) => `{http.response.header.${fieldName(rest)}}`],
];

/** The text that a variable is here, or `null` for one that is not known. */
export function placeholderOf(lookup: Lookup): string | null {
  const { site, scope, name } = lookup;
  if (/^\d$/.test(name)) return scope.captures === null ? '' : `{http.regexp.${scope.captures}.${name}}`;
  const { adaptation } = site;
  const group = site.groups.get(name);
  if (group !== undefined) return group;
  if (adaptation.assigned.has(name)) return `{http.vars.${variableKey(name)}}`;
  if (Object.hasOwn(fixed, name)) return fixed[name] as string;
  if (Object.hasOwn(computed, name)) return (computed[name] as Resolve)(lookup);
  if (site.defined.has(name)) return site.use(name);
  for (const [prefix, resolve] of families) if (name.startsWith(prefix)) return resolve(name.slice(prefix.length));
  return null;
}

/** The variable of a request that holds what `set` gave a name. */
export function variableKey(name: string): string {
  return `nginx.set.${name}`;
}

/** The path, clean: what decides by it must not be passed by `//` or `/../`. */
function uriOf({ site }: Lookup): string {
  site.usesUri = true;
  return `{http.regexp.${cleanPath}.0}`;
}

/** The name of a field as it is in a variable: lower case, with underscores. */
function fieldName(rest: string): string {
  return rest
    .split('_')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('-');
}
