/** Generated matcher sets. */
import type { Json, JsonObject } from '@sluice/base';
import type { Random } from '../differential/random.ts';
import { expressions, hosts, methods, paths, patterns, values } from './vocabulary.ts';

type Make = (random: Random) => Json;

/** Matchers that match all requests occur more often, because they make later routes unreachable. */
const makers: readonly (readonly [name: string, make: Make])[] = [
  ['host', hostList],
  ['host', hostList],
  ['path', pathList],
  ['path', pathList],
  ['path', pathList],
  ['method', (random) => several(random, methods)],
  ['protocol', (random) => random.pick(['http', 'https', 'http/1.1', 'http/2+'])],
  ['header', (random) => ({ [random.pick(['X', 'x'])]: [random.pick([...values, '1*', '*', '{http.vars.v}'])] })],
  ['header', (random) => random.pick<Json>([{ X: null }, { Host: [random.pick(hosts)] }, { X: [] }])],
  ['header_regexp', (random) => ({ X: { pattern: random.pick(['^1', '2$']) } })],
  ['query', (random) => ({ q: [random.pick([...values, '*', '{http.vars.v}'])] })],
  ['path_regexp', (random) => ({ pattern: random.pick(Object.keys(patterns)) })],
  ['expression', (random) => random.pick(Object.keys(expressions))],
  ['vars', (random) => ({ v: [random.pick(values)] })],
  ['vars_regexp', () => ({ '{http.request.uri.path}': { pattern: '^/a' } })],
  ['remote_ip', (random) => ({ ranges: [random.pick(['127.0.0.1', '10.0.0.0/8'])] })],
  ['client_ip', (random) => ({ ranges: [random.pick(['127.0.0.1', '192.0.2.0/24'])] })],
  ['tls', () => ({})],
  ['url_pattern', (random) => ({ pattern: random.pick(['/a/:x', '/b*']) })],
];

/** Generates the matcher sets of a route. */
export function matchOf(random: Random): JsonObject[] {
  return Array.from({ length: random.chance(0.7) ? 1 : 2 }, () => setOf(random, 0));
}

/** Generates a matcher set, which may nest other sets in `not`. */
function setOf(random: Random, depth: number): JsonObject {
  const set: Record<string, Json> = {};
  for (let left = random.integer(1, 2); left > 0; left--) {
    if (depth < 2 && random.chance(0.15))
      set['not'] = Array.from({ length: random.integer(1, 2) }, () => setOf(random, depth + 1));
    else {
      const [name, make] = random.pick(makers);
      set[name] = make(random);
    }
  }
  return set;
}

/** Generates a matcher set that matches the same requests as another set, or fewer. */
export function narrowed(random: Random, set: JsonObject): JsonObject {
  return random.chance(0.4) ? set : { ...setOf(random, 1), ...set };
}

/** Returns a list of hosts. The list has no duplicates that differ only in case, because the server rejects them. */
function hostList(random: Random): string[] {
  if (random.chance(0.02)) return [random.pick(['a.test:80', '{http.vars.v}'])];
  const all = several(random, hosts);
  return all.filter((host, i) => all.findIndex((other) => other.toLowerCase() === host.toLowerCase()) === i);
}

function pathList(random: Random): string[] {
  return random.chance(0.02) ? [] : several(random, paths);
}

function several(random: Random, from: readonly string[]): string[] {
  return [...new Set(Array.from({ length: random.integer(1, 2) }, () => random.pick(from)))];
}
