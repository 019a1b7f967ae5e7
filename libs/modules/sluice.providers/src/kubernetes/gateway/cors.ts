/** Converts the Gateway API's CORS filter to a handler. */
import type { Json, JsonObject } from '@sluice/base';
import type { CorsFilter } from '../route-filters.ts';
import { literal, quoteRegExp } from '../../common/text.ts';

/** Default `maxAge` from the Gateway API specification, in seconds. */
const defaultMaxAge = 5;

/**
 * Returns the CORS handler. It responds to preflight requests from allowed origins. For other requests from these origins, it adds header
 * fields to the response. Preflight requests from other origins get a response without these header fields, so that browsers block the
 * actual request.
 */
export function corsHandler(filter: CorsFilter): JsonObject {
  const { allowOrigins = [], allowMethods = [], allowHeaders = [], exposeHeaders = [], maxAge } = filter;
  const preflight = { method: ['OPTIONS'], header: { 'Access-Control-Request-Method': [] } };
  const origin = { header_regexp: { Origin: { pattern: `^(?:${allowOrigins.map(originPattern).join('|')})$` } } };
  const common: Record<string, Json> = {
    // Send the actual origin, because browsers reject `*` for requests with credentials.
    'Access-Control-Allow-Origin': ['{http.request.header.Origin}'],
    ...(filter.allowCredentials === true ? { 'Access-Control-Allow-Credentials': ['true'] } : {}),
    ...listField('Access-Control-Expose-Headers', exposeHeaders, null),
  };
  const allowed: JsonObject = {
    ...common,
    ...listField('Access-Control-Allow-Methods', allowMethods, '{http.request.header.Access-Control-Request-Method}'),
    ...listField('Access-Control-Allow-Headers', allowHeaders, '{http.request.header.Access-Control-Request-Headers}'),
    'Access-Control-Max-Age': [String(maxAge ?? defaultMaxAge)],
    Vary: ['Origin, Access-Control-Request-Method, Access-Control-Request-Headers'],
  };
  const responding = (headers: JsonObject): JsonObject => ({ handler: 'static_response', status_code: 204, headers });
  return {
    handler: 'subroute',
    routes: [
      ...(allowOrigins.length === 0
        ? []
        : [{ match: [{ ...preflight, ...origin }], handle: [responding(allowed)], terminal: true }]),
      { match: [preflight], handle: [responding({})], terminal: true },
      { handle: [{ handler: 'headers', response: { add: { Vary: ['Origin'] }, deferred: true } }] },
      ...(allowOrigins.length === 0
        ? []
        : [{ match: [origin], handle: [{ handler: 'headers', response: { set: common, deferred: true } }] }]),
    ],
  };
}

/** Returns a CORS header field that contains a list. If the list contains `*`, the field permits everything that the client requests. */
function listField(name: string, values: readonly string[], requested: string | null): JsonObject {
  if (values.length === 0) return {};
  const isAll = values.includes('*') && requested !== null;
  return { [name]: [isAll ? requested : literal(values.join(', '))] };
}

/** Returns a regular expression for an origin. A single `*` matches all origins. Within a host, `*` matches one or more characters. */
function originPattern(origin: string): string {
  return origin === '*' ? '.*' : `(?i)${quoteRegExp(origin).replaceAll(String.raw`\*`, '[^/]+')}`;
}
