/** Generated handler lists. */
import type { Json, JsonObject } from '@sluice/base';
import type { Random } from '../differential/random.ts';
import type { World } from './world.ts';
import { parameters, values, variables, words } from './vocabulary.ts';

/** Allowed nesting depth of a route list. */
export interface Nesting {
  readonly depth: number;
  /** Upstreams and files that handlers may use, or `null` if there are none. */
  readonly world: World | null;
  /** Creates a nested route for a given path within a handler. */
  inner(path: string): JsonObject;
}

type Make = (random: Random, at: string, nesting: Nesting) => JsonObject;

const policies: readonly JsonObject[] = [
  { policy: 'first' },
  { policy: 'random' },
  { policy: 'random_choose', choose: 2 },
  { policy: 'least_conn' },
  { policy: 'round_robin' },
  { policy: 'weighted_round_robin', weights: [2, 0, 1] },
  { policy: 'ip_hash' },
  { policy: 'client_ip_hash' },
  { policy: 'uri_hash' },
  { policy: 'header', field: 'X-A' },
  { policy: 'header', field: 'X-B', fallback: { policy: 'first' } },
  { policy: 'header', field: 'X-Forwarded-For' },
  { policy: 'query', key: 'q' },
  { policy: 'cookie', fallback: { policy: 'round_robin' } },
  { policy: 'cookie', name: 'other', max_age: '1h' },
];

function proxy(random: Random, at: string, { upstreams, dead }: World, { depth, inner }: Nesting): JsonObject {
  const living = random.chance(0.2) ? [random.pick(upstreams)] : upstreams;
  const dials = random.chance(0.15) ? [dead, ...living] : living;
  return {
    handler: 'reverse_proxy',
    upstreams: dials.map((dial) => ({ dial })),
    load_balancing: {
      retries: random.integer(0, 2),
      ...(random.chance(0.8) ? { selection_policy: random.pick(policies) } : {}),
    },
    ...(random.chance(0.3)
      ? {
          headers: random.pick<JsonObject>([
            {
              request: {
                set: { Host: ['{http.reverse_proxy.upstream.hostport}'], 'X-Up': ['{http.request.remote.host}'] },
              },
            },
            { request: { delete: ['X-Forwarded-For'], add: { 'X-A': ['{http.vars.v}'] } } },
            { response: { set: { 'X-Upstream': ['{http.reverse_proxy.upstream.hostport}'] } } },
            { response: { delete: ['Etag', 'Content-Type'] } },
          ]),
        }
      : {}),
    ...(random.chance(0.15)
      ? { rewrite: random.pick<JsonObject>([{ method: 'GET', uri: '/verify' }, { uri: '/b{http.request.uri}' }]) }
      : {}),
    ...(random.chance(0.1) ? { transport: { protocol: 'http', compression: false } } : {}),
    ...(random.chance(0.1) ? { trusted_proxies: ['127.0.0.1/32'] } : {}),
    ...(random.chance(0.1) ? { flush_interval: -1 } : {}),
    ...(depth > 0 && random.chance(0.2)
      ? {
          handle_response: [
            random.pick<JsonObject>([
              { match: { status_code: [4, 5] }, routes: [inner(`${at}.handle_response[0].routes[0]`)] },
              {
                match: { status_code: [2] },
                routes: [{ handle: [{ handler: 'copy_response_headers' }, { handler: 'copy_response' }] }],
              },
              { match: { status_code: [500] }, status_code: 503 },
            ]),
          ],
        }
      : {}),
  };
}

/** Generators for handlers that pass requests to the next handler. */
const passing: readonly Make[] = [
  (random) => ({ handler: 'vars', [random.pick(variables)]: random.pick(values) }),
  (random) => ({
    handler: 'vars',
    [random.pick(variables)]: random.pick([
      '{http.regexp.re.1}',
      '{http.request.header.X-A}',
      '{http.request.uri.path.0}',
      '{http.request.remote.host}',
      '{m}',
    ]),
  }),
  (random) => ({
    handler: 'map',
    source: random.pick(['{http.request.uri.path}', '{http.request.method}', '{http.vars.v}']),
    destinations: ['{m}'],
    mappings: [
      { input: random.pick(['/a', 'GET', '1']), outputs: ['1'] },
      { input_regexp: '^/(.)', outputs: ['$1'] },
    ],
    defaults: ['none'],
  }),
  (random) => ({
    handler: 'rewrite',
    ...random.pick<JsonObject>([
      { strip_path_prefix: '/a' },
      { strip_path_suffix: '.php' },
      { uri: '/b{http.request.uri.path}' },
      { uri: '?q=1&{http.request.uri.query}' },
      { method: 'GET' },
      { uri_substring: [{ find: '/v1', replace: '/a' }] },
      { path_regexp: [{ find: '/+', replace: '/' }] },
    ]),
  }),
  (random) => ({ handler: 'headers', request: { set: { [random.pick(words)]: [random.pick(values)] } } }),
  (random) => ({
    handler: 'headers',
    request: { delete: [random.pick(words)] },
    response: { set: { 'X-Out': ['{http.vars.v}'] } },
  }),
  (random) => ({ handler: 'headers', response: { deferred: true, add: { 'X-Late': [random.pick(values)] } } }),
  (random) => ({ handler: 'request_body', max_size: random.pick([0, 3, 1000]) }),
  (random) => ({ handler: 'log_append', key: 'k', value: random.pick(['{http.vars.v}', 'text']) }),
  () => ({ handler: 'push' }),
  () => ({ handler: 'invoke', name: 'shared' }),
];

/** Generators for handlers that end requests. */
const ending: readonly Make[] = [
  (random, at) => respond(at, random.pick([200, 200, 204, 404])),
  (_, at) => respond(at, 200),
  (random, at) => ({
    ...respond(at, 0),
    status_code: random.pick(['{http.vars.v}00', '{http.error.status_code}', '201']),
  }),
  (random) => ({ handler: 'error', status_code: random.pick([403, 404, 418, 500, '{http.vars.v}']), error: 'made' }),
  () => ({ handler: 'static_response', abort: true }),
  () => ({ handler: 'reverse_proxy', upstreams: [] }),
  () => ({ handler: 'authentication' }),
  () => ({ handler: 'copy_response' }),
];

/** Returns a `static_response` handler whose body contains the handler's configuration path. */
function respond(at: string, status: number): JsonObject {
  return { handler: 'static_response', body: at, ...(status === 0 ? {} : { status_code: status }) };
}

/** Generators for handlers that modify responses from upstreams, files and other handlers. */
const changing: readonly Make[] = [
  () => ({ handler: 'encode', encodings: { gzip: {} }, minimum_length: 1 }),
  () => ({ handler: 'encode', encodings: { gzip: {}, zstd: {} }, prefer: ['zstd', 'gzip'] }),
  (random) => ({
    handler: 'headers',
    response: { set: { 'Cache-Control': ['no-transform'] }, delete: [random.pick(['Server', 'Etag'])] },
  }),
];

type MakeOf = (random: Random, at: string, world: World, nesting: Nesting) => JsonObject;

/** Generators for handlers that respond with files or upstream responses. */
const ofWorld: readonly MakeOf[] = [
  (random, at) => ({
    ...respond(at, random.pick([200, 204, 205, 304, 404])),
    body: random.pick(['', '<html><body>typed by its content</body></html>', '{"a":1}', 'text '.repeat(700)]),
    headers: random.pick<JsonObject>([
      {},
      { 'Content-Type': ['text/css'] },
      { 'Content-Type': [''] },
      { Etag: ['"e"'], Vary: ['Accept-Encoding'] },
    ]),
  }),
  (_, __, world) => ({ handler: 'file_server', root: world.root }),
  (random, _, world) => ({ handler: 'file_server', root: world.root, hide: ['a/b'], pass_thru: random.chance(0.5) }),
  proxy,
  proxy,
  proxy,
  proxy,
];

/** Returns the handlers of the route at a configuration path. */
export function handlersOf(random: Random, at: string, nesting: Nesting): Json[] {
  const handlers: Json[] = [];
  const add = (make: Make): void => {
    handlers.push(make(random, `${at}.handle[${handlers.length}]`, nesting));
  };
  const { world } = nesting;
  for (let left = random.integer(0, 2); left > 0; left--)
    add(random.pick(world !== null && random.chance(0.3) ? changing : passing));
  if (nesting.depth > 0 && random.chance(0.35)) add(random.chance(0.75) ? subroute : intercept);
  if (world !== null && random.chance(0.4)) add((...at) => random.pick(ofWorld)(at[0], at[1], world, nesting));
  else if (random.chance(0.6)) add(random.chance(0.75) ? (ending[1] as Make) : random.pick(ending));
  else if (random.chance(0.1)) add((_, place) => ({ ...respond(place, 103) }));
  return handlers;
}

const subroute: Make = (random, at, { inner }) => {
  const routes = Array.from({ length: random.integer(0, 4) }, (_, i) => inner(`${at}.routes[${i}]`));
  const errors = { routes: [0, 1].map((i) => inner(`${at}.errors.routes[${i}]`)) };
  return { handler: 'subroute', routes, ...(random.chance(0.3) ? { errors } : {}) };
};

const intercept: Make = (random, at, { inner }) => ({
  handler: 'intercept',
  handle_response: [
    { match: { status_code: [random.pick([2, 404])] }, routes: [inner(`${at}.handle_response[0].routes[0]`)] },
    { match: { headers: { 'X-Out': ['*'] } }, status_code: random.pick([202, 418]) },
  ],
});

/** Names of the query parameters that generated requests use. */
export const queryNames: readonly string[] = parameters;
