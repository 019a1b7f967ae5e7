/** The `enable-cors` annotation: responds to preflight requests, and adds header fields to all responses. */
import type { Json, JsonObject } from '@sluice/base';
import { literal, quoteRegExp } from '../../../common/text.ts';
import type { IngressScope } from '../scope.ts';

const defaultMethods = 'GET, PUT, POST, DELETE, PATCH, OPTIONS';
const defaultHeaders =
  'DNT,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,Authorization';

export function corsHandlers({ annotations }: IngressScope): readonly JsonObject[] {
  if (annotations.flag('enable-cors') !== true) return [];
  const origins = annotations.list('cors-allow-origin');
  const isAny = origins.length === 0 || origins.includes('*');
  const exposed = annotations.list('cors-expose-headers').join(', ');
  const common: Record<string, Json> = {
    // Send `*` unchanged, so that browsers reject it for requests with credentials.
    'Access-Control-Allow-Origin': [isAny ? '*' : '{http.request.header.Origin}'],
    ...(annotations.flag('cors-allow-credentials') === false ? {} : { 'Access-Control-Allow-Credentials': ['true'] }),
    ...(exposed === '' ? {} : { 'Access-Control-Expose-Headers': [literal(exposed)] }),
    ...(isAny ? {} : { Vary: ['Origin'] }),
  };
  const preflight: JsonObject = {
    ...common,
    'Access-Control-Allow-Methods': [literal(annotations.text('cors-allow-methods') ?? defaultMethods)],
    'Access-Control-Allow-Headers': [literal(annotations.text('cors-allow-headers') ?? defaultHeaders)],
    'Access-Control-Max-Age': [String(annotations.integer('cors-max-age') ?? 1_728_000)],
  };
  const allowed = isAny
    ? {}
    : { header_regexp: { Origin: { pattern: `^(?:${origins.map(originPattern).join('|')})$` } } };
  const match = (matchers: JsonObject): JsonObject => (Object.keys(matchers).length === 0 ? {} : { match: [matchers] });
  const preflightResponse = { handler: 'static_response', status_code: 204, headers: preflight };
  return [
    {
      handler: 'subroute',
      routes: [
        { ...match({ method: ['OPTIONS'], ...allowed }), handle: [preflightResponse], terminal: true },
        { ...match(allowed), handle: [{ handler: 'headers', response: { set: common, deferred: true } }] },
      ],
    },
  ];
}

/** Returns a regular expression for an origin, in which `*` matches one label. */
function originPattern(origin: string): string {
  return `(?i)${quoteRegExp(origin).replaceAll(String.raw`\*`, '[^./]+')}`;
}
