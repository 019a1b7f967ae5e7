/** Generated matcher sets. */
import type { Json, JsonObject } from '@sluice/base';
import type { Random } from '../differential/random.ts';
import { methodOf, parameters, patternOf, values, variables, words } from './vocabulary.ts';

type Make = (random: Random) => Json;

const makers: Readonly<Record<string, Make>> = {
  path: (random) => [...new Set([patternOf(random), patternOf(random)])],
  path_regexp: (random) => ({ name: 're', pattern: random.pick(['^/([a-z]+)', '(?i)api', '/(.*)\\.php$', '^/$']) }),
  method: (random) => [methodOf(random), 'GET'],
  header: (random) => ({ [random.pick(words)]: random.chance(0.2) ? null : [random.pick([...values, '*', '1*'])] }),
  header_regexp: (random) => ({ [random.pick(words)]: { name: 'h', pattern: random.pick(['^(\\d)$', 'html', '.*']) } }),
  query: (random) => ({ [random.pick(parameters)]: [random.pick([...values, '*'])] }),
  vars: (random) => ({
    [random.pick(variables)]: [random.pick(values)],
    [`{http.vars.${random.pick(variables)}}`]: ['1', ''],
  }),
  vars_regexp: (random) => ({ [`{http.request.uri.path}`]: { pattern: random.pick(['^/[ab]', 'img']) } }),
  protocol: (random) => random.pick(['http', 'https', 'http/1.1', 'http/2+', 'grpc']),
  remote_ip: (random) => ({ ranges: [random.pick(['127.0.0.1', '10.0.0.0/8', '0.0.0.0/0'])] }),
  client_ip: (random) => ({ ranges: [random.pick(['127.0.0.1', '192.0.2.0/24'])] }),
  expression: (random) =>
    random.pick([
      "{http.request.method} == 'GET'",
      "path('/a/*') || {http.vars.v} == '1'",
      "header({'X-A': '1'}) && !method('POST')",
      "{http.request.uri.query.q} != ''",
    ]),
  tls: () => ({}),
  url_pattern: (random) => ({ pattern: random.pick(['/:first/*', '/a/:id?', '*']) }),
  host: (random) => [`h${random.integer(0, 5)}.example.com`, '{http.vars.w}'],
};

const names = Object.keys(makers);

/** Generates matcher sets. Some of them are nested in `not`. */
export function matchersOf(random: Random, sets: number): JsonObject[] {
  return Array.from({ length: sets }, () => matcherSet(random, 1));
}

function matcherSet(random: Random, depth: number): JsonObject {
  const set: Record<string, Json> = {};
  for (let left = random.integer(1, 2); left > 0; left--) {
    if (depth > 0 && random.chance(0.15)) set['not'] = [matcherSet(random, depth - 1), matcherSet(random, 0)];
    else {
      const name = random.chance(0.4) ? 'path' : random.pick(names);
      set[name] = (makers[name] as Make)(random);
    }
  }
  return set;
}
