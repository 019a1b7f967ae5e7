/** Reverse proxy for a backend: transport, load balancing, header fields. */
import type { Json, JsonObject } from '@sluice/base';
import { literal, quoteRegExp } from '../../../common/text.ts';
import type { Annotations } from '../annotations/reader.ts';
import { configMapOf, secretOf, type IngressScope } from '../scope.ts';
import { loadBalancing } from './load-balancing.ts';
import { expanded } from './redirects.ts';
import { bodyLimit } from './request-body.ts';

const protocols = ['HTTP', 'HTTPS', 'GRPC', 'GRPCS', 'FCGI', 'AUTO_HTTP', 'AJP'] as const;

/**
 * Returns the options of a reverse proxy, except for its upstreams.
 *
 * @param balancing Annotations for the selection of endpoints; `null` means there is only one.
 */
export function proxyOptions(scope: IngressScope, balancing: Annotations | null): JsonObject {
  const { annotations } = scope;
  const request = requestFields(scope);
  const response = responseChanges(scope);
  const headers = {
    ...(Object.keys(request).length === 0 ? {} : { request: { set: request, ...forgeable(scope) } }),
    ...(Object.keys(response).length === 0 ? {} : { response: { replace: response } }),
  };
  const buffered =
    annotations.flag('proxy-request-buffering') === true ? Math.min(bodyLimit(scope) || mebibyte, mebibyte) : 0;
  return {
    ...transportOf(scope),
    ...(balancing === null ? {} : loadBalancing(balancing)),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(annotations.flag('proxy-buffering') === false ? { flush_interval: -1 } : {}),
    ...(buffered === 0 ? {} : { request_buffers: buffered }),
  };
}

const mebibyte = 1_048_576;

function transportOf(scope: IngressScope): JsonObject {
  const { annotations } = scope;
  const protocol =
    annotations.word('backend-protocol', protocols) ??
    (annotations.flag('secure-backends') === true ? 'HTTPS' : 'HTTP');
  if (protocol === 'AJP') annotations.refuse('backend-protocol', 'AJP is not supported');
  const seconds = (
    name: 'proxy-connect-timeout' | 'proxy-read-timeout' | 'proxy-send-timeout',
    option: string,
  ): JsonObject => {
    const value = annotations.integer(name);
    return value === undefined ? {} : { [option]: `${value}s` };
  };
  const timeouts = {
    ...seconds('proxy-connect-timeout', 'dial_timeout'),
    ...seconds('proxy-read-timeout', 'read_timeout'),
    ...seconds('proxy-send-timeout', 'write_timeout'),
  };
  if (protocol === 'FCGI') return { transport: { protocol: 'fastcgi', ...timeouts, ...fastcgiEnvironment(scope) } };
  const isGrpc = protocol.startsWith('GRPC');
  const isTls = protocol === 'HTTPS' || protocol === 'GRPCS';
  const version = annotations.word('proxy-http-version', ['1.0', '1.1']);
  if (version === '1.0') annotations.warn('proxy-http-version', 'HTTP/1.0 is not supported; requests use HTTP/1.1');
  const options = {
    ...timeouts,
    ...(isTls ? { tls: tlsOptions(scope) } : {}),
    ...(isGrpc ? { versions: [isTls ? '2' : 'h2c'] } : version === undefined ? {} : { versions: ['1.1'] }),
    ...(annotations.text('connection-proxy-header')?.toLowerCase() === 'close'
      ? { keep_alive: { enabled: false } }
      : {}),
  };
  return Object.keys(options).length === 0 ? {} : { transport: { protocol: 'http', ...options } };
}

function tlsOptions(scope: IngressScope): JsonObject {
  const { annotations } = scope;
  const name = annotations.text('proxy-ssl-name');
  const ca =
    annotations.text('proxy-ssl-secret') === undefined
      ? []
      : authoritiesIn(secretOf('proxy-ssl-secret', scope).data ?? {});
  if (
    annotations.text('proxy-ssl-secret') !== undefined &&
    secretOf('proxy-ssl-secret', scope).data?.['tls.crt'] !== undefined
  )
    annotations.warn('proxy-ssl-secret', 'the client certificate in tls.crt is not presented');
  return {
    ...(annotations.flag('proxy-ssl-verify') === true ? {} : { insecure_skip_verify: true }),
    ...(name === undefined ? {} : { server_name: literal(name) }),
    ...(ca.length === 0 ? {} : { ca: { provider: 'inline', trusted_ca_certs: ca } }),
  };
}

/** Returns the CA certificates in a Secret's `ca.crt`, as base64-encoded DER. */
export function authoritiesIn(data: Readonly<Record<string, string>>): readonly string[] {
  const pem = Buffer.from(data['ca.crt'] ?? '', 'base64').toString();
  return [...pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g)].map(([, body = '']) =>
    body.replaceAll(/\s/g, ''),
  );
}

function fastcgiEnvironment(scope: IngressScope): JsonObject {
  const { annotations } = scope;
  const parameters = configMapOf('fastcgi-params-configmap', scope)?.data ?? {};
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters)) {
    // Skip these parameters, because the transport derives them from `root` and the path.
    if (/\$(?:document_root|fastcgi_script_name)/.test(value)) continue;
    env[name] = expanded('fastcgi-params-configmap', value, annotations);
  }
  const [root] = [/^(\/[^$]*)\$fastcgi_script_name$/.exec(parameters['SCRIPT_FILENAME'] ?? '')?.[1]];
  return {
    ...(root === undefined ? {} : { root: literal(root) }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
}

function requestFields({ annotations }: IngressScope): Record<string, Json> {
  const host = annotations.text('upstream-vhost');
  const prefix = annotations.text('x-forwarded-prefix');
  return {
    ...(host === undefined ? {} : { Host: [expanded('upstream-vhost', host, annotations)] }),
    ...(prefix === undefined ? {} : { 'X-Forwarded-Prefix': [expanded('x-forwarded-prefix', prefix, annotations)] }),
    ...(annotations.flag('auth-tls-pass-certificate-to-upstream') === true
      ? { 'ssl-client-cert': ['{http.request.tls.client.certificate_pem}'] }
      : {}),
    ...(annotations.text('auth-tls-secret') === undefined
      ? {}
      : {
          'ssl-client-verify': ['{http.request.tls.client.verify}'],
          'ssl-client-subject-dn': ['{http.request.tls.client.subject}'],
          'ssl-client-issuer-dn': ['{http.request.tls.client.issuer}'],
        }),
  };
}

/** Returns header operations that delete client certificate fields, because clients must not set these fields themselves. */
function forgeable({ annotations }: IngressScope): JsonObject {
  const isSent = annotations.flag('auth-tls-pass-certificate-to-upstream') === true;
  return annotations.text('auth-tls-secret') === undefined || isSent ? {} : { delete: ['ssl-client-cert'] };
}

/** `proxy-redirect-*` and `proxy-cookie-*`. */
function responseChanges({ annotations }: IngressScope): Record<string, Json> {
  const from = annotations.text('proxy-redirect-from');
  const to = annotations.text('proxy-redirect-to');
  const cookies: Json[] = [];
  for (const [name, attribute] of [
    ['proxy-cookie-domain', 'Domain'],
    ['proxy-cookie-path', 'Path'],
  ] as const) {
    const [old, replacement, ...rest] = (annotations.text(name) ?? 'off').split(/\s+/);
    if (old === 'off') continue;
    if (old === undefined || replacement === undefined || rest.length > 0 || /[~$]/.test(old + replacement))
      annotations.warn(name, 'expected two strings without regular expressions or variables');
    else
      cookies.push({
        search_regexp: `(?i)(;\\s*${attribute}=)${quoteRegExp(old)}`,
        replace: `\${1}${literal(replacement)}`,
      });
  }
  const isReplaced = from !== undefined && to !== undefined && from !== 'off' && from !== 'default';
  return {
    ...(isReplaced
      ? {
          Location: [
            { search_regexp: `^${quoteRegExp(from)}`, replace: expanded('proxy-redirect-to', to, annotations) },
          ],
        }
      : {}),
    ...(cookies.length === 0 ? {} : { 'Set-Cookie': cookies }),
  };
}
