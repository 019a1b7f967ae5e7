/** FastCGI request parameters: CGI meta-variables (RFC 3875 §4.1), and additional variables for PHP. */
import {
  compileText,
  hostOf,
  HttpError,
  portOf,
  placeholderValue,
  type Exchange,
  type HttpTemplate,
  type UpstreamRequest,
} from '@sluice/http-app';
import { joinRootWithSlash } from '@sluice/base';
import { scriptPathOf } from './script-path.ts';

/** Rules for locating the script file of a request. */
export interface ScriptRules {
  readonly splitPath: readonly string[];
  /** Configured parameters, which override parameters from other sources. */
  readonly env: readonly (readonly [name: string, value: HttpTemplate])[];
}

/** Value of `SERVER_SOFTWARE`. It starts with Caddy's name, because applications depend on it. */
const software = 'Caddy (Sluice)';

/** Compiles the `env` option of the FastCGI transport. */
export function compileEnv(env: Readonly<Record<string, string>>): ScriptRules['env'] {
  return Object.entries(env).map(([name, value]) => [name, compileText(value, 'empty')] as const);
}

/** Returns the FastCGI parameters of a request. `root` is an absolute path. */
export function parametersOf(
  request: UpstreamRequest,
  exchange: Exchange,
  root: string,
  rules: ScriptRules,
): Map<string, string> {
  const { length } = request.body;
  const { script, pathInfo: rest } = scriptPathOf(request.rawPath, rules.splitPath);
  // After a rewrite based on `http.matchers.file`, the path no longer contains the path info.
  const pathInfo = rest === '' ? String(placeholderValue(exchange, 'http.matchers.file.remainder') ?? '') : rest;
  const scriptName = script === '' || script.startsWith('/') ? script : `/${script}`;
  const { connection } = exchange;
  const { tls } = connection;
  const address = connection.remoteAddress;
  const scheme = tls === null ? 'http' : 'https';
  const params = new Map([
    ['AUTH_TYPE', ''],
    ['CONTENT_LENGTH', String(length)],
    ['CONTENT_TYPE', contentTypeOf(request)],
    ['DOCUMENT_ROOT', root],
    ['DOCUMENT_URI', script],
    ['GATEWAY_INTERFACE', 'CGI/1.1'],
    ['PATH_INFO', pathInfo],
    ['QUERY_STRING', request.query ?? ''],
    ['REMOTE_ADDR', address],
    ['REMOTE_HOST', address],
    ['REMOTE_IDENT', ''],
    ['REMOTE_PORT', connection.unix ? '' : String(connection.remotePort)],
    ['REMOTE_USER', String(placeholderValue(exchange, 'http.auth.user.id') ?? '')],
    ['REQUEST_METHOD', request.method],
    ['REQUEST_SCHEME', scheme],
    ['REQUEST_URI', exchange.originalUri],
    ['SCRIPT_FILENAME', fileUnder(root, scriptName)],
    ['SCRIPT_NAME', scriptName],
    ['SERVER_ADDR', connection.localAddress],
    ['SERVER_NAME', hostOf(request.host)],
    ['SERVER_PORT', portOf(request.host) || (tls === null ? '80' : '443')],
    ['SERVER_PROTOCOL', exchange.proto],
    ['SERVER_SOFTWARE', software],
  ]);
  if (pathInfo !== '') params.set('PATH_TRANSLATED', fileUnder(root, pathInfo));
  if (tls !== null) {
    params.set('HTTPS', 'on');
    params.set('SSL_PROTOCOL', tls.version.replace('tls', 'TLSv'));
    params.set('SSL_CIPHER', tls.cipherSuite);
  }
  addFields(params, request, length);
  for (const [name, value] of rules.env) params.set(name, value.expand(exchange));
  return params;
}

function fileUnder(root: string, path: string): string {
  const file = joinRootWithSlash(root, path);
  if (file === null) throw new HttpError(400, `${JSON.stringify(path)} is not a valid file path`);
  return file;
}

/** Methods whose requests usually have no body. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

function contentTypeOf({ headers, method }: UpstreamRequest): string {
  return headers.get('content-type') || (bodiless.has(method) ? '' : 'application/x-www-form-urlencoded');
}

/**
 * Adds header fields as `HTTP_…` parameters. Omits the Proxy field, because programs interpret HTTP_PROXY as an environment variable with a
 * different meaning.
 */
function addFields(params: Map<string, string>, request: UpstreamRequest, length: number): void {
  params.set('HTTP_HOST', request.host);
  params.set('HTTP_USER_AGENT', '');
  params.set('HTTP_CONTENT_LENGTH', String(length));
  const seen = new Set<string>();
  for (const [name, value] of request.headers) {
    if (name === 'proxy') continue;
    const param = `HTTP_${name.toUpperCase().replaceAll('-', '_').replaceAll('.', '_').replaceAll(' ', '_')}`;
    params.set(param, seen.has(param) ? `${params.get(param) as string}, ${value}` : value);
    seen.add(param);
  }
}
