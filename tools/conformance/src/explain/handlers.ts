/** Generated lists of handlers. */
import type { Json, JsonObject } from '@sluice/base';
import type { Random } from '../differential/random.ts';
import { parameters, values, variables, words } from './vocabulary.ts';

/** What a list may hold. */
export interface Nesting {
  readonly depth: number;
  /** Makes a route for a place within a handler. */
  inner(path: string): JsonObject;
}

type Make = (random: Random, at: string, nesting: Nesting) => JsonObject;

/** Handlers that pass requests on. */
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

/** Handlers that end them. */
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

/** A response that says who has written it. */
function respond(at: string, status: number): JsonObject {
  return { handler: 'static_response', body: at, ...(status === 0 ? {} : { status_code: status }) };
}

/** A list of handlers for the route at a place. */
export function handlersOf(random: Random, at: string, nesting: Nesting): Json[] {
  const handlers: Json[] = [];
  const add = (make: Make): void => {
    handlers.push(make(random, `${at}.handle[${handlers.length}]`, nesting));
  };
  for (let left = random.integer(0, 2); left > 0; left--) add(random.pick(passing));
  if (nesting.depth > 0 && random.chance(0.35)) add(random.chance(0.75) ? subroute : intercept);
  if (random.chance(0.6)) add(random.chance(0.75) ? (ending[1] as Make) : random.pick(ending));
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

/** Names that requests may have in their queries. */
export const queryNames: readonly string[] = parameters;
