/** Converts the filters of rules and backends to handlers. */
import { SluiceError, type Json, type JsonObject } from '@sluice/base';
import type { HeaderModifier, PathModifier, RouteFilter } from '../route-filters.ts';
import { corsHandler } from './cors.ts';
import { literal, quoteRegExp } from '../../common/text.ts';

/** Context of a filter: data that it requires in addition to its options. */
export interface FilterPlace {
  /** Path prefix of the route match, without a trailing slash. `null` if the match has another type. */
  readonly prefix: string | null;
  readonly scheme: 'http' | 'https';
  /** Port of the Gateway listener. */
  readonly port: number;
}

/** Thrown if an object contains a value that this server doesn't support. */
export class UnsupportedError extends SluiceError {
  constructor(message: string) {
    super('ERR_PROVIDER_OBJECT', message);
  }
}

/** Returns the handlers that run before the backends. A redirect is always the last handler. */
export function handlersOf(filters: readonly RouteFilter[], place: FilterPlace): readonly JsonObject[] {
  const handlers: JsonObject[] = [];
  let response: JsonObject | null = null;
  for (const filter of filters) {
    const { requestHeaderModifier, responseHeaderModifier, urlRewrite, requestRedirect, cors } = filter;
    if (requestHeaderModifier !== undefined) handlers.push(headers('request', requestHeaderModifier));
    else if (responseHeaderModifier !== undefined) handlers.push(headers('response', responseHeaderModifier));
    else if (cors !== undefined) handlers.push(corsHandler(cors));
    else if (urlRewrite !== undefined) {
      if (urlRewrite.hostname !== undefined)
        handlers.push({ handler: 'headers', request: { set: { Host: [literal(urlRewrite.hostname)] } } });
      if (urlRewrite.path !== undefined) handlers.push(rewrite(urlRewrite.path, place));
    } else if (requestRedirect !== undefined) {
      if (requestRedirect.path !== undefined) handlers.push(rewrite(requestRedirect.path, place));
      response = redirect(requestRedirect, place);
    } else if (filter.requestMirror === undefined) throw new UnsupportedError(`filter ${filter.type} is not supported`);
  }
  if (response !== null) handlers.push(response);
  return handlers;
}

/** Converts backend filters to the `headers` option of `reverse_proxy`. */
export function backendHeaders(filters: readonly RouteFilter[]): JsonObject {
  let found: JsonObject = {};
  for (const { type, requestHeaderModifier, responseHeaderModifier } of filters) {
    if (requestHeaderModifier !== undefined) found = { ...found, request: operations(requestHeaderModifier) };
    else if (responseHeaderModifier !== undefined) found = { ...found, response: operations(responseHeaderModifier) };
    else throw new UnsupportedError(`filter ${type} of a backend is not supported`);
  }
  return found;
}

function headers(kind: 'request' | 'response', modifier: HeaderModifier): JsonObject {
  const changes = operations(modifier);
  return { handler: 'headers', [kind]: kind === 'response' ? { ...changes, deferred: true } : changes };
}

function operations({ set = [], add = [], remove = [] }: HeaderModifier): JsonObject {
  const fields = (list: typeof set): JsonObject => Object.fromEntries(list.map(fieldOf));
  for (const name of remove)
    if (name.includes('*'))
      throw new UnsupportedError(`cannot remove header ${name}: * would also match other headers`);
  return {
    ...(set.length === 0 ? {} : { set: fields(set) }),
    ...(add.length === 0 ? {} : { add: fields(add) }),
    ...(remove.length === 0 ? {} : { delete: remove }),
  };
}

function fieldOf({ name, value }: { readonly name: string; readonly value: string }): readonly [string, Json] {
  return [name, [literal(value)]];
}

function rewrite(modifier: PathModifier, { prefix }: FilterPlace): JsonObject {
  if (modifier.type === 'ReplaceFullPath') return { handler: 'rewrite', uri: uriPath(modifier.replaceFullPath ?? '/') };
  if (prefix === null) throw new UnsupportedError('ReplacePrefixMatch requires a path match of type PathPrefix');
  const replacement = uriPath(modifier.replacePrefixMatch ?? '')
    .replace(/\/+$/, '')
    .replaceAll('$', '$$$$');
  const quoted = quoteRegExp(prefix);
  const expression =
    replacement === ''
      ? { find: `^${quoted}/*(.*)$`, replace: '/$1' }
      : { find: `^${quoted}(/.*)?$`, replace: `${replacement}$1` };
  return { handler: 'rewrite', path_regexp: [expression] };
}

/** Escapes the characters that would terminate a URI path. */
function uriPath(path: string): string {
  return literal(path.replaceAll('?', '%3F').replaceAll('#', '%23'));
}

function redirect(options: NonNullable<RouteFilter['requestRedirect']>, place: FilterPlace): JsonObject {
  const scheme = options.scheme ?? place.scheme;
  // Use the listener's port only if the scheme stays the same, because a different scheme has a different default port.
  const port = options.port ?? (options.scheme === undefined ? place.port : defaultPort(scheme));
  const host = options.hostname === undefined ? '{http.request.host}' : literal(options.hostname);
  const authority = port === defaultPort(scheme) ? host : `${host}:${port}`;
  return {
    handler: 'static_response',
    status_code: options.statusCode ?? 302,
    headers: { Location: [`${literal(scheme)}://${authority}{http.request.uri}`] },
  };
}

function defaultPort(scheme: string): number {
  return scheme === 'https' ? 443 : 80;
}
