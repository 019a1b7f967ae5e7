/** Generated handler lists. */
import type { JsonObject } from '@sluice/base';
import type { Random } from '../differential/random.ts';
import { values } from './vocabulary.ts';

/** Allowed nesting depth of a route list. */
export interface Nesting {
  readonly depth: number;
  /** Generates a list of routes within a handler. */
  routes(count: number): JsonObject[];
}

type Make = (random: Random, nesting: Nesting) => JsonObject;

const rewrites: readonly JsonObject[] = [
  { uri: '/a/b' },
  { uri: '/b?q=2' },
  { uri: '/a{http.request.uri.path}' },
  { strip_path_prefix: '/a' },
  { strip_path_suffix: '.php' },
  { method: 'POST' },
  { path_regexp: [{ find: '/+', replace: '/' }] },
  { uri_substring: [{ find: 'b', replace: 'a' }] },
  { query: { set: [{ key: 'q', val: '1' }] } },
];

const operations: readonly JsonObject[] = [
  { set: { X: ['2'] } },
  { set: { Host: ['b.test'] } },
  { add: { X: ['1'] } },
  { delete: ['X'] },
  { delete: ['*'] },
  { set: { '{http.vars.v}': ['1'] } },
  { replace: { X: [{ search: '1', replace: '2' }] } },
];

/** Generators for handlers that pass at least some requests to the next handler. */
const passing: readonly Make[] = [
  (random) => ({ handler: 'rewrite', ...random.pick(rewrites) }),
  (random) => ({ handler: 'rewrite', ...random.pick(rewrites) }),
  (random) => ({ handler: 'headers', request: random.pick(operations) }),
  () => ({ handler: 'headers', response: { set: { Y: ['1'] } } }),
  (random) => ({ handler: 'vars', v: random.pick(values) }),
  () => ({ handler: 'vars', client_ip: '192.0.2.9' }),
  () => ({
    handler: 'map',
    source: '{http.request.uri.path}',
    destinations: ['{m}'],
    mappings: [{ input: '/a', outputs: ['1'] }],
  }),
  () => ({ handler: 'static_response', status_code: 103 }),
  (random) => ({ handler: 'request_body', max_size: random.pick([1, 1000]) }),
  () => ({ handler: 'log_append', key: 'k', value: '1' }),
  () => ({ handler: 'encode', encodings: { gzip: {} } }),
  () => ({ handler: 'push' }),
  () => ({ handler: 'authentication' }),
  () => ({ handler: 'copy_response' }),
  (random) => ({ handler: 'invoke', name: random.pick(['n', 'm']) }),
  (random) => ({ handler: 'invoke', name: random.pick(['n', 'm']) }),
];

/** Generators for handlers that end requests. */
const ending: readonly Make[] = [
  () => ({ handler: 'static_response' }),
  () => ({ handler: 'static_response' }),
  () => ({ handler: 'static_response', status_code: '{http.vars.v}0{http.vars.v}' }),
  () => ({ handler: 'static_response', abort: true }),
  (random) => ({ handler: 'error', status_code: random.pick([403, 404, 404, '{http.vars.v}04']) }),
  () => ({ handler: 'reverse_proxy', upstreams: [] }),
  () => ({ handler: 'file_server', root: '/var/empty' }),
  () => ({ handler: 'file_server', root: '/var/empty', pass_thru: true }),
];

const holding: readonly Make[] = [
  subroute,
  subroute,
  subroute,
  (_, { routes }) => ({
    handler: 'intercept',
    handle_response: [{ match: { status_code: [2, 404] }, routes: routes(1) }, { routes: routes(1) }],
  }),
  (_, { routes }) => ({
    handler: 'reverse_proxy',
    upstreams: [],
    handle_response: [{ match: { status_code: [5] }, routes: routes(1) }],
  }),
];

/** Generates a handler list. Many handlers pass requests on, because lint checks can easily overlook effects between two routes. */
export function handlersOf(random: Random, nesting: Nesting): JsonObject[] {
  const handlers: JsonObject[] = [];
  for (let left = random.integer(0, 2); left > 0; left--) handlers.push(random.pick(passing)(random, nesting));
  if (nesting.depth < 3 && random.chance(0.35)) handlers.push(random.pick(holding)(random, nesting));
  if (handlers.length === 0 || random.chance(0.4)) handlers.push(random.pick(ending)(random, nesting));
  // Only occasionally add a handler after a handler that ends requests. A separate lint check reports such handlers, and too many of them
  // would hide other results.
  if (random.chance(0.05)) handlers.push(random.pick(passing)(random, nesting));
  return handlers;
}

function subroute(random: Random, { routes }: Nesting): JsonObject {
  const errors = random.chance(0.25) ? { errors: { routes: routes(random.integer(0, 2)) } } : {};
  return { handler: 'subroute', routes: routes(random.integer(1, 4)), ...errors };
}
