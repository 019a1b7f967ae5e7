/** Middlewares of Traefik, converted to handlers. */
import { parseDuration, type JsonObject } from '@sluice/base';
import { literal } from '../../common/text.ts';
import { basicAuthentication, forwardAuthentication } from './authentication.ts';
import { errorPages, type ErrorPages } from './error-pages.ts';
import { headers, upstreamHost } from './headers.ts';
import { list, required, type LabelOptions } from './labels.ts';
import { addPrefix, replacePath, replacePathRegexp, stripPrefix, stripPrefixRegexp } from './paths.ts';

export interface Middleware {
  readonly handlers: readonly JsonObject[];
  /** Options of the proxy, set by `retry`. */
  readonly loadBalancing?: JsonObject;
  /** Host that upstreams receive, set by `headers`. */
  readonly host?: string;
  /** Set by `errors`. */
  readonly errorPages?: ErrorPages;
  /** Names of other middlewares, set by `chain`. */
  readonly chain?: readonly string[];
}

type Convert = (options: LabelOptions) => readonly JsonObject[];

const handlersByType: Readonly<Record<string, Convert>> = {
  addprefix: addPrefix,
  stripprefix: stripPrefix,
  stripprefixregex: stripPrefixRegexp,
  replacepath: replacePath,
  replacepathregex: replacePathRegexp,
  redirectscheme: redirectScheme,
  redirectregex: redirectRegexp,
  basicauth: basicAuthentication,
  forwardauth: forwardAuthentication,
  headers,
  compress,
  ratelimit: rateLimit,
  ipallowlist: (options) => allowList(options, 'ipallowlist'),
  ipwhitelist: (options) => allowList(options, 'ipwhitelist'),
  buffering: (options) => {
    const size = options.integer('buffering.maxrequestbodybytes') ?? 0;
    return size > 0 ? [{ handler: 'request_body', max_size: size }] : [];
  },
  inflightreq: (options) => [
    {
      handler: 'concurrency_limit',
      key: sourceKey(options, 'inflightreq', '{http.request.host}'),
      max: positive(options, 'inflightreq.amount'),
      status_code: 429,
    },
  ],
};

/**
 * Middlewares that are ignored, because they don't restrict access. Routers with other unsupported middlewares must not
 * be served.
 */
const ignored = ['circuitbreaker', 'contenttype', 'grpcweb'];

/** Converts a middleware. Throws an error if an option is invalid or would allow more requests than in Traefik. */
export function convertMiddleware(options: LabelOptions): Middleware {
  for (const type of options.types())
    if (!Object.hasOwn(handlersByType, type) && !['chain', 'errors', 'retry', ...ignored].includes(type))
      throw options.error(type, `${type} is not supported`);
  if (options.hasPrefix('chain.')) return { handlers: [], chain: options.list('chain.middlewares') };
  if (options.hasPrefix('retry.')) {
    const attempts = positive(options, 'retry.attempts');
    const interval = options.duration('retry.initialinterval');
    return {
      handlers: [],
      loadBalancing: { retries: attempts - 1, ...(interval === undefined ? {} : { try_interval: interval }) },
    };
  }
  if (options.hasPrefix('errors.')) return { handlers: [], errorPages: errorPages(options) };
  const handlers: JsonObject[] = [];
  for (const [type, convert] of Object.entries(handlersByType))
    if (options.has(type) || options.hasPrefix(`${type}.`)) {
      options.boolean(type);
      handlers.push(...convert(options));
    }
  const host = upstreamHost(options);
  return { handlers, ...(host === undefined ? {} : { host }) };
}

function positive(options: LabelOptions, name: string): number {
  required(options, name);
  const value = options.integer(name) ?? 0;
  if (value < 1) throw options.error(name, `must be at least 1: ${value}`);
  return value;
}

const encodings: readonly string[] = ['zstd', 'br', 'gzip'];

function compress(options: LabelOptions): readonly JsonObject[] {
  const chosen = options.list('compress.encodings');
  const types = options.list('compress.includedcontenttypes');
  const unknown = chosen.find((each) => !encodings.includes(each));
  if (unknown !== undefined)
    throw options.error('compress.encodings', `must be one or more of ${encodings.join(', ')}, not ${unknown}`);
  const prefer = chosen.length === 0 ? ['zstd', 'gzip'] : chosen;
  return [
    {
      handler: 'encode',
      encodings: Object.fromEntries(prefer.map((each) => [each, {}])),
      prefer: [...prefer],
      minimum_length: options.integer('compress.minresponsebodybytes') ?? 1024,
      ...(types.length === 0 ? {} : { match: { headers: { 'Content-Type': types.map((type) => `${type}*`) } } }),
    },
  ];
}

/** Returns a redirect. Requests with methods other than GET keep their method and body. */
function redirecting(location: string, isPermanent: boolean): readonly JsonObject[] {
  const respond = (status: number): JsonObject => ({
    handler: 'static_response',
    status_code: status,
    headers: { Location: [location] },
  });
  return [
    { match: [{ method: ['GET'] }], handle: [respond(isPermanent ? 301 : 302)] },
    { handle: [respond(isPermanent ? 308 : 307)] },
  ];
}

function redirectScheme(options: LabelOptions): readonly JsonObject[] {
  const scheme = required(options, 'redirectscheme.scheme');
  if (!['http', 'https'].includes(scheme))
    throw options.error('redirectscheme.scheme', `must be http or https, not ${scheme}`);
  const port = options.integer('redirectscheme.port');
  const isDefault = port === undefined || port === (scheme === 'https' ? 443 : 80);
  const location = `${scheme}://{http.request.host}${isDefault ? '' : `:${port}`}{http.request.uri}`;
  const routes = redirecting(location, options.boolean('redirectscheme.permanent') ?? false);
  const other = scheme === 'https' ? 'http' : 'https';
  return [
    {
      handler: 'subroute',
      routes: [{ match: [{ protocol: other }], handle: [{ handler: 'subroute', routes: [...routes] }] }],
    },
  ];
}

/** Returns a redirect to the request URL, with the first match of the regular expression replaced. */
function redirectRegexp(options: LabelOptions): readonly JsonObject[] {
  const regexp = required(options, 'redirectregex.regex');
  const group = (name: string): string => `{http.regexp.traefik_redirect.${name}}`;
  const replacement = required(options, 'redirectregex.replacement')
    .split(/(\$\{\w+\}|\$\w+)/)
    .map((part, i) => {
      if (i % 2 === 0) return literal(part);
      const name = part.replaceAll(/[${}]/g, '');
      return group(/^\d+$/.test(name) ? String(Number(name) + 1) : name);
    })
    .join('');
  const pattern = `^(?P<before>.*?)(?:${regexp})(?P<after>.*)$`;
  const routes = redirecting(
    group('before') + replacement + group('after'),
    options.boolean('redirectregex.permanent') ?? false,
  );
  return [
    { handler: 'vars', traefik_url: '{http.request.scheme}://{http.request.hostport}{http.request.uri}' },
    {
      handler: 'subroute',
      routes: [
        {
          match: [{ vars_regexp: { traefik_url: { name: 'traefik_redirect', pattern } } }],
          handle: [{ handler: 'subroute', routes: [...routes] }],
        },
      ],
    },
  ];
}

/** Converts an average rate. The window is long enough for the burst. */
function rateLimit(options: LabelOptions): readonly JsonObject[] {
  const average = options.integer('ratelimit.average') ?? 0;
  const burst = options.integer('ratelimit.burst') ?? 1;
  const period = parseDuration(options.duration('ratelimit.period') ?? '1s');
  const key = sourceKey(options, 'ratelimit', '{http.request.remote.host}');
  if (average <= 0) return [];
  const events = Math.max(average, burst);
  const window = `${Math.ceil((period * events) / average)}ms`;
  return [{ handler: 'rate_limit', rate_limits: { traefik: { key, window, max_events: events } } }];
}

function sourceKey(options: LabelOptions, type: string, otherwise: string): string {
  const field = options.text(`${type}.sourcecriterion.requestheadername`);
  if (field !== undefined) return `{http.request.header.${field}}`;
  return options.boolean(`${type}.sourcecriterion.requesthost`) === true ? '{http.request.host}' : otherwise;
}

function allowList(options: LabelOptions, type: string): readonly JsonObject[] {
  if (options.hasPrefix(`${type}.ipstrategy.`))
    throw options.error(`${type}.ipstrategy`, "ipstrategy is not supported; use the server's trusted_proxies");
  const ranges = [...list(options, `${type}.sourcerange`)];
  const status = options.integer(`${type}.rejectstatuscode`) ?? 403;
  const reject = { match: [{ not: [{ remote_ip: { ranges } }] }], handle: [{ handler: 'error', status_code: status }] };
  return [{ handler: 'subroute', routes: [reject] }];
}
