/** CORS options of the middleware `headers`. */
import type { Json, JsonObject } from '@sluice/base';
import { literal, quoteRegExp } from '../../common/text.ts';
import type { LabelOptions } from './labels.ts';

/** Returns a handler that responds to preflight requests. For other requests, the handler adds fields to the response. */
export function cors(options: LabelOptions): readonly JsonObject[] {
  const option = (name: string): string => `headers.accesscontrol${name}`;
  const field = (name: string): string => options.list(option(name)).join(',');
  const isVarying = options.boolean('headers.addvaryheader') === true;
  if (!options.hasPrefix(option(''))) return [];
  const maxAge = options.integer(option('maxage')) ?? 0;
  const credentials = options.boolean(option('allowcredentials')) === true ? 'true' : '';
  const common = {
    'Access-Control-Allow-Credentials': credentials,
    'Access-Control-Expose-Headers': field('exposeheaders'),
  };
  const preflight = {
    ...common,
    'Access-Control-Allow-Headers': field('allowheaders'),
    'Access-Control-Allow-Methods': field('allowmethods'),
    'Access-Control-Max-Age': maxAge > 0 ? String(maxAge) : '',
  };
  const origins = originRoutes(options.list(option('alloworiginlist')), options.list(option('alloworiginlistregex')));
  const isPreflight = { method: ['OPTIONS'], header: { Origin: [], 'Access-Control-Request-Method': [] } };
  const others = settingOf(common);
  return [
    {
      handler: 'subroute',
      routes: [
        {
          match: [isPreflight],
          handle: [
            { handler: 'subroute', routes: [...origins] },
            { handler: 'static_response', status_code: 200, headers: fieldsOf(preflight) },
          ],
          terminal: true,
        },
        ...(others === null ? [] : [{ handle: [others] }]),
        ...origins,
        ...(isVarying
          ? [{ handle: [{ handler: 'headers', response: { add: { Vary: ['Origin'] }, deferred: true } }] }]
          : []),
      ],
    },
  ];
}

/** Returns routes that allow an origin. For `*`, the response is the same for all origins. */
function originRoutes(list: readonly string[], patterns: readonly string[]): readonly JsonObject[] {
  const name = 'Access-Control-Allow-Origin';
  if (list.includes('*'))
    return [{ handle: [{ handler: 'headers', response: { set: { [name]: ['*'] }, deferred: true } }] }];
  const all = [...list.map((origin) => `(?:^${quoteRegExp(origin)}$)`), ...patterns.map((pattern) => `(?:${pattern})`)];
  if (all.length === 0) return [];
  const set = { [name]: ['{http.request.header.Origin}'] };
  return [
    {
      match: [{ header_regexp: { Origin: { pattern: all.join('|') } } }],
      handle: [{ handler: 'headers', response: { set, deferred: true } }],
    },
  ];
}

function settingOf(fields: Readonly<Record<string, string>>): JsonObject | null {
  const set = fieldsOf(fields);
  return Object.keys(set).length === 0 ? null : { handler: 'headers', response: { set, deferred: true } };
}

/** Returns the fields that are not empty. */
function fieldsOf(fields: Readonly<Record<string, string>>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === '' ? [] : [[name, [literal(value)]]])),
  );
}
