/** Made-up routes and requests, for what is said of all routes. Each route and handler is preceded by a mark, which notes that it ran. */
import { formatWhere, isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import type { TestRequest } from '@sluice/testing';

/** Numbers from 0 up to a bound, the same for the same seed. */
export type Chance = (bound: number) => number;

/** Chances of a seed (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

const hosts = ['a.test', 'A.test', 'b.test', '*.a.test', '*.test', '*.*.test', 'x.*.test'];
const paths = [
  '/a',
  '/a/*',
  '/a*',
  '*',
  '/*',
  '*.php',
  '*b*',
  '/a/b',
  '/A/b/*',
  '/*/b',
  '/a/b.php',
  '/b',
  '/b/*',
  '//a',
  '/%61',
  '/a/b*',
];
const methods = ['GET', 'POST', 'get'];
const targets = [
  '/',
  '/a',
  '/a/',
  '/a/b',
  '/a/b/c',
  '/A/B',
  '/ab',
  '/b',
  '/b/a',
  '/b/x.php',
  '/a/b.php',
  '//a',
  '/a/./b',
  '/%61',
  '/a%2Fb',
  '*',
];
const requestHosts = ['a.test', 'A.TEST', 'b.test:80', 'x.a.test', 'x.b.test', 'x.y.test', 'test', ''];

/** A configuration. */
export function madeUpConfiguration(chance: Chance): Json {
  const server: JsonObject = {
    routes: routesOf(chance, 0, 2 + chance(6)),
    errors: { routes: routesOf(chance, 1, chance(4)) },
    named_routes: {
      n: { handle: withoutInvoke(handlersOf(chance, 2)), ...(chance(2) === 0 ? { match: matchOf(chance) } : {}) },
    },
    automatic_https: { disable: true },
  };
  return marked({ apps: { http: { servers: { s: server } } } }, []);
}

/** A named route that invoked itself would do so without end. */
function withoutInvoke(handlers: readonly JsonObject[]): JsonObject[] {
  const text = JSON.stringify(handlers).replaceAll('{"handler":"invoke","name":"n"}', '{"handler":"vars","v":"1"}');
  return JSON.parse(text) as JsonObject[];
}

/** A request. */
export function madeUpRequest(chance: Chance, tls: NonNullable<TestRequest['connection']>): TestRequest {
  return {
    host: pick(chance, requestHosts),
    path: pick(chance, targets) + pick(chance, ['', '', '?q=1']),
    method: pick(chance, ['GET', 'POST', 'get', 'PUT']),
    headers: chance(2) === 0 ? { X: pick(chance, ['1', '2']) } : {},
    ...(chance(3) === 0 ? { connection: tls } : {}),
  };
}

function routesOf(chance: Chance, depth: number, count: number): JsonObject[] {
  return Array.from({ length: count }, () => ({
    ...(chance(4) === 0 ? {} : { match: matchOf(chance) }),
    ...(chance(3) === 0 ? { group: pick(chance, ['g', 'h']) } : {}),
    ...(chance(4) === 0 ? { terminal: true } : {}),
    handle: handlersOf(chance, depth),
  }));
}

function matchOf(chance: Chance): JsonObject[] {
  return Array.from({ length: 1 + chance(2) }, () => setOf(chance, 0));
}

function setOf(chance: Chance, depth: number): JsonObject {
  const set: Record<string, Json> = {};
  for (let count = 1 + chance(2); count > 0; count--) {
    const [name, options] = matcherOf(chance, depth);
    set[name] = options;
  }
  return set;
}

function matcherOf(chance: Chance, depth: number): readonly [string, Json] {
  switch (chance(depth > 1 ? 9 : 11)) {
    case 0:
    case 1:
      return ['host', several(chance, hosts).filter((host, _, all) => host !== 'A.test' || !all.includes('a.test'))];
    case 2:
    case 3:
    case 4:
      return ['path', several(chance, paths)];
    case 5:
      return ['method', several(chance, methods)];
    case 6:
      return ['protocol', pick(chance, ['http', 'https', 'http/1.1'])];
    case 7:
      return ['header', { X: [pick(chance, ['1', '2', '{http.vars.v}'])] }];
    case 8:
      return chance(2) === 0 ? ['query', { q: ['1'] }] : ['path_regexp', { pattern: '^/a' }];
    default:
      return ['not', Array.from({ length: 1 + chance(2) }, () => setOf(chance, depth + 1))];
  }
}

function handlersOf(chance: Chance, depth: number): JsonObject[] {
  return Array.from({ length: 1 + chance(2) }, () => handlerOf(chance, depth));
}

function handlerOf(chance: Chance, depth: number): JsonObject {
  switch (chance(depth > 2 ? 10 : 14)) {
    case 0:
    case 1:
    case 2:
      return { handler: 'static_response', ...(chance(6) === 0 ? { status_code: 103 } : {}) };
    case 3:
      return { handler: 'error', status_code: 404 };
    case 4:
      return {
        handler: 'rewrite',
        ...pick(chance, [{ uri: '/a/b' }, { strip_path_prefix: '/a' }, { method: 'POST' }, { uri: '/b' }]),
      };
    case 5:
      return { handler: 'headers', request: { set: pick(chance, [{ X: ['2'] }, { Host: ['b.test'] }]) } };
    case 6:
      return { handler: 'vars', v: '1' };
    case 7:
      return { handler: 'invoke', name: 'n' };
    case 8:
    case 9:
      return { handler: 'headers', response: { set: { Y: ['1'] } } };
    default: {
      const routes = routesOf(chance, depth + 1, 1 + chance(4));
      const errors = chance(4) === 0 ? { errors: { routes: routesOf(chance, depth + 1, chance(3)) } } : {};
      return { handler: 'subroute', routes, ...errors };
    }
  }
}

function pick<T>(chance: Chance, values: readonly T[]): T {
  return values[chance(values.length)] as T;
}

function several(chance: Chance, values: readonly string[]): string[] {
  return [...new Set(Array.from({ length: 1 + chance(2) }, () => pick(chance, values)))];
}

/** Puts marks before the handlers of each route. Positions count the marks, as the places that are told do. */
function marked(node: Json, path: readonly string[]): Json {
  if (isArray(node)) return node.map((item, index) => marked(item, [...path, String(index)]));
  if (!isObject(node)) return node;
  const entries = Object.entries(node).map(([key, value]): [string, Json] => {
    if (key !== 'handle' || !isArray(value)) return [key, marked(value, [...path, key])];
    const handlers = value.flatMap((handler, index): Json[] => {
      const place = [...path, key, String(2 * index + 2)];
      return [{ handler: 'mark', place: formatWhere(place) }, marked(handler, place)];
    });
    return [key, [{ handler: 'mark', place: formatWhere(path) }, ...handlers]];
  });
  return Object.fromEntries(entries);
}
