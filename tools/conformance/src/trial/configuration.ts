/** Generates configurations with nested routes, groups, error routes, and variables that later routes match. */
import type { Random } from '../differential/random.ts';
import { makeSet } from './matchers.ts';
import { Words } from './vocabulary.ts';

const statuses = [200, 201, 204, 302, 404, 410, 500, 503];

/** Generates the configuration of a server that listens on a port. */
export function makeConfiguration(random: Random, port: number): object {
  const words = new Words(random);
  const errors = random.chance(0.6) ? { errors: { routes: makeRoutes(words, 1) } } : {};
  const named = random.chance(0.3) ? { named_routes: { n: { handle: [makeHandler(words, 2)] } } } : {};
  const server = {
    listen: [`127.0.0.1:${port}`],
    automatic_https: { disable: true },
    routes: makeRoutes(words, 0),
    ...errors,
    ...named,
  };
  return { apps: { http: { servers: { s: server } } } };
}

function makeRoutes(words: Words, depth: number): object[] {
  const { random } = words;
  return Array.from({ length: random.integer(1, depth === 0 ? 7 : 4) }, () => {
    const sets = random.chance(0.7) ? Array.from({ length: random.chance(0.8) ? 1 : 2 }, () => makeSet(words)) : [];
    return {
      ...(random.chance(0.2) ? { group: random.pick(['g', 'h']) } : {}),
      ...(sets.length > 0 ? { match: sets } : {}),
      handle: Array.from({ length: random.integer(depth === 0 ? 1 : 0, 3) }, () => makeHandler(words, depth)),
      ...(random.chance(0.15) ? { terminal: true } : {}),
    };
  });
}

function makeHandler(words: Words, depth: number): object {
  const { random } = words;
  const makers = [
    respond,
    respond,
    rewrite,
    rewrite,
    headers,
    headers,
    vars,
    map,
    fail,
    ...(depth < 2 ? [subroute, subroute] : []),
  ];
  return random.pick(makers)(words, depth);
}

function respond(words: Words): object {
  const { random } = words;
  return {
    handler: 'static_response',
    ...(random.chance(0.5)
      ? { status_code: random.pick([...statuses, '{http.vars.w}', '{http.error.status_code}']) }
      : {}),
    ...(random.chance(0.8) ? { body: words.text() } : {}),
    ...(random.chance(0.3) ? { headers: { 'X-R': [words.text()], Location: [words.path()] } } : {}),
  };
}

function rewrite(words: Words): object {
  const { random } = words;
  return {
    handler: 'rewrite',
    ...random.pick([
      { uri: `${words.path()}${random.pick(['', '?', '?{http.request.uri.query}', '?n={http.request.uri.path}'])}` },
      { uri: '/p{http.request.uri}' },
      { method: random.pick(['POST', 'PUT', '{http.request.header.X-A}']) },
      { strip_path_prefix: random.pick(['/a', '/x y', '/']) },
      { strip_path_suffix: random.pick(['.txt', '/', 'b']) },
      {
        uri_substring: [
          { find: random.pick(['a', '//']), replace: random.pick(['z', '']), limit: random.integer(0, 1) },
        ],
      },
      { path_regexp: [{ find: random.pick(['//+', '(a)']), replace: random.pick(['/', '$1$1', 'z']) }] },
      { query: { set: [{ key: 'q', val: words.text() }], delete: ['r'] } },
      { query: { rename: [{ key: 'q', val: 'r' }] } },
      { query: { add: [{ key: 'n', val: '1' }] } },
    ]),
  };
}

function headers(words: Words): object {
  const { random } = words;
  const operations = random.pick([
    { set: { 'X-S': [words.text()] } },
    { add: { 'X-S': [words.text(), 'more'] } },
    { set: { 'X-A': [words.text()] } },
    { delete: [random.pick(['X-A', 'X-*', '*-A', 'X-S'])] },
    { replace: { 'X-A': [{ search_regexp: '[a-z]', replace: random.pick(['n', '$0$0']) }] } },
    { replace: { 'X-A': [{ search: 'o', replace: '0' }] } },
  ]);
  if (random.chance(0.4)) return { handler: 'headers', request: operations };
  const deferred = random.chance(0.5) ? { deferred: true } : {};
  const require = random.chance(0.3) ? { require: { status_code: [random.pick([2, 4, 404])] } } : {};
  return { handler: 'headers', response: { ...operations, ...deferred, ...require } };
}

function vars(words: Words): object {
  const { random } = words;
  return { handler: 'vars', [random.pick(['v', 'w'])]: random.pick([words.text(), words.text(), 1, 404, true, 'one']) };
}

function map(words: Words): object {
  const { random } = words;
  return {
    handler: 'map',
    source: words.placeholder(),
    destinations: ['{m.one}', '{m.two}'],
    mappings: [
      { input: random.pick(['GET', '1', '/a', '']), outputs: [words.text(), random.pick([1, null, 'x'])] },
      { input_regexp: random.pick(['^/(.)', '(.)$', 't']), outputs: ['${1}', '$0'] },
    ],
    ...(random.chance(0.5) ? { defaults: ['d1', words.text()] } : {}),
  };
}

function fail(words: Words): object {
  const { random } = words;
  return { handler: 'error', error: 'made up', status_code: random.pick([...statuses.slice(4), '{http.vars.w}', 403]) };
}

function subroute(words: Words, depth: number): object {
  const errors = words.random.chance(0.25) ? { errors: { routes: makeRoutes(words, depth + 1) } } : {};
  return { handler: 'subroute', routes: makeRoutes(words, depth + 1), ...errors };
}
