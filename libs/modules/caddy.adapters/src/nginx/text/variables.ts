/** nginx variables and the equivalent placeholders. */
import { own } from '@sluice/base';
import type { Scope } from '../scope.ts';
import { cleanUri, type Site } from '../site.ts';

/** Context for resolving a variable. */
export interface Lookup {
  readonly site: Site;
  readonly scope: Scope;
  readonly name: string;
  /** True if the upstream response is available when the string is expanded. */
  readonly held?: boolean | undefined;
}

type Resolve = (lookup: Lookup) => string;

/** Variables that are always translated to the same placeholder. */
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
  remote_port: '{http.request.remote.port}',
  scheme: '{http.request.scheme}',
  server_addr: '{http.request.local.host}',
  server_port: '{http.request.local.port}',
  server_protocol: '{http.request.proto}',
  request_method: '{http.request.method}',
  request: '{http.request.method} {http.request.orig_uri} {http.request.proto}',
  request_body: '{http.request.body}',
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
  time_local: '{time.now.common_log}',
  proxy_add_x_forwarded_for: '{http.request.header.X-Forwarded-For}, {http.vars.client_ip}',
};

/**
 * Placeholders that exist only for some requests, by variable name. They need special handling, because headers would otherwise contain the
 * unexpanded placeholder.
 */
const uncertain: Readonly<Record<string, string>> = {
  remote_user: '{http.auth.user.id}',
  upstream_addr: '{http.reverse_proxy.upstream.hostport}',
  upstream_status: '{http.reverse_proxy.status_code}',
  status: '{http.error.status_code}',
};

/**
 * Variables whose format differs from that of the corresponding placeholder. Each entry contains regular expressions and their
 * replacements.
 */
const notations: Readonly<
  Record<string, { readonly source: string; readonly outputs: Readonly<Record<string, string>> }>
> = {
  // Converts milliseconds to seconds with three decimals.
  request_time: {
    source: '{http.request.duration_ms}',
    outputs: {
      '^(\\d)(?:\\.|$)': '0.00${1}',
      '^(\\d\\d)(?:\\.|$)': '0.0${1}',
      '^(\\d{3})(?:\\.|$)': '0.${1}',
      '^(\\d+)(\\d{3})(?:\\.|$)': '${1}.${2}',
    },
  },
  msec: { source: '{time.now.unix_ms}', outputs: { '^(\\d+)(\\d{3})$': '${1}.${2}' } },
  time_iso8601: {
    source: '{time.now}',
    outputs: { '^(\\S+) (\\d\\d:\\d\\d:\\d\\d)\\S* ([+-]\\d\\d)(\\d\\d)': '${1}T${2}${3}:${4}' },
  },
  request_id: {
    source: '{http.request.uuid}',
    outputs: { '^(\\w+)-(\\w+)-(\\w+)-(\\w+)-(\\w+)$': '${1}${2}${3}${4}${5}' },
  },
};

/** Variables whose translation depends on the context. */
const computed: Readonly<Record<string, Resolve>> = {
  uri: uriOf,
  document_uri: uriOf,
  fastcgi_script_name: uriOf,
  is_args: ({ site }) => site.use('is_args'),
  https: ({ site }) => site.use('https'),
  ssl_protocol: ({ site }) => site.use('ssl_protocol'),
  ssl_session_reused: ({ site }) => site.use('ssl_session_reused'),
  server_name: ({ site }) => (site.scope.value('server_name') ?? '').toLowerCase(),
  proxy_protocol_addr: ({ site }) => (hasProxyProtocol(site) ? '{http.request.remote.host}' : ''),
  proxy_protocol_port: ({ site }) => (hasProxyProtocol(site) ? '{http.request.remote.port}' : ''),
};

const families: readonly (readonly [prefix: string, resolve: (rest: string) => string])[] = [
  ['arg_', (rest) => `{http.request.uri.query.${rest}}`],
  ['http_', (rest) => `{http.request.header.${fieldName(rest)}}`],
  ['cookie_', (rest) => `{http.request.cookie.${rest}}`],
  ['sent_http_', (rest) => `{http.response.header.${fieldName(rest)}}`],
];

/** Returns the placeholder for a variable, or `null` for an unknown variable. */
export function placeholderOf(lookup: Lookup): string | null {
  const { site, scope, name } = lookup;
  if (/^\d$/.test(name)) return scope.captures === null ? '' : `{http.regexp.${scope.captures}.${name}}`;
  const { adaptation } = site;
  const group = site.groups.get(name);
  if (group !== undefined) return group;
  if (adaptation.assigned.has(name)) return `{http.vars.${variableKey(name)}}`;
  const plain = own(fixed, name);
  if (plain !== undefined) return plain;
  const uncertainText = own(uncertain, name);
  if (uncertainText !== undefined) return known(site, uncertainText);
  if (name.startsWith('upstream_http_')) return upstreamField(lookup, fieldName(name.slice('upstream_http_'.length)));
  const notation = own(notations, name);
  if (notation !== undefined) return converted(site, notation.source, notation.outputs);
  const resolve = own(computed, name);
  if (resolve !== undefined) return resolve(lookup);
  if (site.defined.has(name)) return site.use(name);
  for (const [prefix, resolve] of families) if (name.startsWith(prefix)) return resolve(name.slice(prefix.length));
  return null;
}

/**
 * Returns the placeholder for an upstream response header. If the response has already been forwarded, returns the placeholder for the
 * client response header with the same name.
 */
function upstreamField({ site, scope, name, held = false }: Lookup, field: string): string {
  if (held) return `{http.reverse_proxy.header.${field}}`;
  const hidden = scope.all('proxy_hide_header').find(({ args }) => args[0]?.toLowerCase() === field.toLowerCase());
  if (hidden !== undefined)
    site.adaptation.warn(hidden, `variable $${name} is empty, because the header field is removed before it is read`);
  return `{http.response.header.${field}}`;
}

/** Returns a placeholder for the value of another placeholder. The returned placeholder is empty if the other placeholder does not exist. */
function known(site: Site, source: string): string {
  return converted(site, source, { '(?s)^(.+)$': '${1}' });
}

function converted(site: Site, source: string, outputs: Readonly<Record<string, string>>): string {
  // The name indicates whether the value depends on the response.
  return site.lookUp(source.startsWith('{http.reverse_proxy.') ? 'response' : 'value_of', {
    handler: 'map',
    source,
    mappings: Object.entries(outputs).map(([input, output]) => ({ input_regexp: input, outputs: [output] })),
    defaults: [''],
  });
}

function hasProxyProtocol({ scope }: Site): boolean {
  return scope.own('listen').some(({ args }) => args.includes('proxy_protocol'));
}

/** Returns the name of the request variable that stores a variable assigned with `set`. */
export function variableKey(name: string): string {
  return `nginx.set.${name}`;
}

/** Returns the placeholder for the cleaned path. Conditions on the cleaned path cannot be bypassed with `//` or `/../`. */
function uriOf({ site }: Lookup): string {
  return cleanPath(site);
}

/** Returns a placeholder for the cleaned path. The path is captured in each server that uses the placeholder. */
export function cleanPath(site: Site): string {
  site.usesUri = true;
  return cleanUri;
}

/** Returns a header name in the form used in variable names: lowercase, with underscores. */
function fieldName(rest: string): string {
  return rest
    .split('_')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('-');
}
