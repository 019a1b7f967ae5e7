/** Converts Traefik middlewares to handlers. */
import { parseDuration, type JsonObject } from '@sluice/base';
import { literal, quoteRegExp } from '../../kubernetes/gateway/text.ts';
import { headers } from './headers.ts';
import type { LabelOptions } from './labels.ts';

export interface Middleware {
  readonly handlers: readonly JsonObject[];
  /** Load balancing options of the proxy, set by the `retry` middleware. */
  readonly loadBalancing?: JsonObject;
  /** Names of other middlewares, set by the `chain` middleware. */
  readonly chain?: readonly string[];
}

type Convert = (options: LabelOptions) => readonly JsonObject[];

const handlersByType: Readonly<Record<string, Convert>> = {
  addprefix: (options) => [
    { handler: 'rewrite', uri: `${literal(required(options, 'addprefix.prefix'))}{http.request.uri}` },
  ],
  stripprefix: (options) => stripping(list(options, 'stripprefix.prefixes').map(quoteRegExp)),
  stripprefixregex: (options) =>
    stripping(list(options, 'stripprefixregex.regex').map((each) => each.replace(/^\^/, ''))),
  replacepath: (options) => [replacedPath, { handler: 'rewrite', uri: literal(required(options, 'replacepath.path')) }],
  replacepathregex: (options) => [
    replacedPath,
    {
      handler: 'rewrite',
      path_regexp: [
        {
          find: required(options, 'replacepathregex.regex'),
          replace: literal(options.text('replacepathregex.replacement') ?? ''),
        },
      ],
    },
  ],
  redirectscheme: redirectScheme,
  redirectregex: redirectRegexp,
  basicauth: basicAuthentication,
  forwardauth: forwardAuthentication,
  headers,
  compress: (options) => [
    {
      handler: 'encode',
      encodings: { zstd: {}, gzip: {} },
      prefer: ['zstd', 'gzip'],
      minimum_length: options.integer('compress.minresponsebodybytes') ?? 1024,
    },
  ],
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
    },
  ],
};

/** Middlewares that can be ignored, because they don't restrict access. Routers with any other unsupported middleware must not be served. */
const ignored = ['circuitbreaker', 'contenttype', 'errors', 'grpcweb'];

/** Converts a Traefik middleware. Throws an error if an option is invalid, or if the result would permit more requests than in Traefik. */
export function convertMiddleware(options: LabelOptions): Middleware {
  for (const type of options.types())
    if (!Object.hasOwn(handlersByType, type) && !['chain', 'retry', ...ignored].includes(type))
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
  const handlers: JsonObject[] = [];
  for (const [type, convert] of Object.entries(handlersByType))
    if (options.has(type) || options.hasPrefix(`${type}.`)) {
      options.boolean(type);
      handlers.push(...convert(options));
    }
  return { handlers };
}

function required(options: LabelOptions, name: string): string {
  const value = options.text(name);
  if (value === undefined || value === '') throw options.error(name, 'a value is required');
  return value;
}

function list(options: LabelOptions, name: string): readonly string[] {
  required(options, name);
  return options.list(name);
}

function positive(options: LabelOptions, name: string): number {
  required(options, name);
  const value = options.integer(name) ?? 0;
  if (value < 1) throw options.error(name, `must be at least 1: ${value}`);
  return value;
}

const replacedPath: JsonObject = {
  handler: 'headers',
  request: { set: { 'X-Replaced-Path': ['{http.request.uri.path_escaped}'] } },
};

function stripping(patterns: readonly string[]): readonly JsonObject[] {
  const pattern = patterns.join('|');
  const forwarded = { set: { 'X-Forwarded-Prefix': ['{http.regexp.traefik_prefix.prefix}'] } };
  return [
    {
      handler: 'subroute',
      routes: [
        {
          match: [{ path_regexp: { name: 'traefik_prefix', pattern: `^(?P<prefix>${pattern})` } }],
          handle: [
            { handler: 'headers', request: forwarded },
            { handler: 'rewrite', path_regexp: [{ find: `^(?:${pattern})/*`, replace: '/' }] },
          ],
        },
      ],
    },
  ];
}

/** Returns a redirect that preserves the request method and body, except for GET. */
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
    throw options.error('redirectscheme.scheme', `must be http or https: ${scheme}`);
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

/** Converts `redirectRegex`: redirects to the URL with the first match replaced. */
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

/** Password hash formats that `http.authentication.hashes.htpasswd` can verify. */
const hashes = /^(?:\$2[abxy]?\$|\$apr1\$|\$1\$|\{SHA\}|\{SSHA\})/;

function basicAuthentication(options: LabelOptions): readonly JsonObject[] {
  const accounts = list(options, 'basicauth.users').map((user) => {
    const [username = '', hash = ''] = user.split(/:(.*)/s);
    if (!hashes.test(hash))
      throw options.error('basicauth.users', `the password of ${username} has an unsupported hash`);
    // Encode the hash, because a hash that begins with a brace would be expanded as a placeholder.
    return { username: literal(username), password: Buffer.from(hash).toString('base64') };
  });
  const realm = options.text('basicauth.realm') ?? 'traefik';
  const field = options.text('basicauth.headerfield');
  const request: JsonObject = {
    ...(field === undefined ? {} : { set: { [field]: ['{http.auth.user.id}'] } }),
    ...(options.boolean('basicauth.removeheader') === true ? { delete: ['Authorization'] } : {}),
  };
  const provider = {
    accounts,
    hash: { algorithm: 'htpasswd' },
    hash_cache: {},
    realm: literal(realm.replaceAll(/["\\]/g, '')),
  };
  return [
    { handler: 'authentication', providers: { http_basic: provider } },
    ...(Object.keys(request).length === 0 ? [] : [{ handler: 'headers', request }]),
  ];
}

function forwardAuthentication(options: LabelOptions): readonly JsonObject[] {
  const address = required(options, 'forwardauth.address');
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw options.error('forwardauth.address', `must be a URL: ${address}`);
  const isTls = url.protocol === 'https:';
  const names = options.list('forwardauth.authresponseheaders');
  return [
    // Delete these fields from the request, because clients must not set fields that the authentication service sets.
    ...(names.length === 0 ? [] : [{ handler: 'headers', request: { delete: [...names] } }]),
    {
      handler: 'reverse_proxy',
      upstreams: [{ dial: `${url.hostname}:${url.port || (isTls ? '443' : '80')}` }],
      ...(isTls ? { transport: { protocol: 'http', tls: {} } } : {}),
      rewrite: { method: 'GET', uri: literal(url.pathname + url.search) },
      headers: {
        request: {
          set: {
            Host: [literal(url.host)],
            'X-Forwarded-Method': ['{http.request.method}'],
            'X-Forwarded-Uri': ['{http.request.uri}'],
          },
        },
      },
      handle_response: [
        {
          match: { status_code: [2] },
          routes: [
            { handle: [{ handler: 'vars' }] },
            ...names.map((name) => {
              const value = `{http.reverse_proxy.header.${name}}`;
              return {
                match: [{ not: [{ vars: { [value]: [''] } }] }],
                handle: [{ handler: 'headers', request: { set: { [name]: [value] } } }],
              };
            }),
          ],
        },
      ],
    },
  ];
}

/** Converts an average rate to a rate limit. The window is long enough to permit the burst. */
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
