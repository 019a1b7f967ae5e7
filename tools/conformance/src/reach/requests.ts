/** Generates requests. Some are random. Most are built to match a route and its parent routes. */
import { isArray, isObject, parseWhere, type Json, type JsonObject } from '@sluice/base';
import type { Random } from '../differential/random.ts';
import type { Message } from '../exchange.ts';
import { mixedCase } from '../explain/vocabulary.ts';
import type { Scheme } from './configuration.ts';
import { fit, type Draft } from './draft.ts';
import { addresses, methods, targets, values } from './vocabulary.ts';

/** A request and the kind of connection on which it arrives. */
export interface ReachRequest {
  readonly message: Message;
  readonly overTls: boolean;
  readonly client: string;
}

/** Generates a request, optionally for the route at the configuration path `place`. */
export function requestOf(random: Random, scheme: Scheme, aim: { document: Json; place: string } | null): ReachRequest {
  const draft: Draft = {
    host: random.pick(['a.test', 'A.TEST', 'b.test:80', 'x.a.test', 'x.b.test', 'x.y.test', 'test', '']),
    path: random.pick(targets),
    query: random.pick(['', '', '?q=1', '?q=2&q=12', '?']),
    method: random.pick(methods),
    x: random.chance(0.5) ? random.pick(values) : null,
    overTls: random.chance(0.3),
    client: random.pick(addresses),
  };
  if (aim !== null) for (const set of setsAround(random, aim.document, aim.place)) fit(random, draft, set);
  const forwarded = random.chance(0.1) ? { 'X-Forwarded-For': [random.pick(addresses)] } : {};
  const body = random.chance(0.1) ? 'body' : '';
  return {
    message: {
      method: draft.method,
      target: `${random.chance(0.3) ? respelt(random, draft.path) : draft.path}${draft.query}`,
      host: mixedCase(draft.host, random),
      headers: {
        ...(draft.x === null ? {} : { [random.pick(['X', 'x'])]: [draft.x] }),
        ...forwarded,
        ...(body === '' ? {} : { 'Content-Length': [String(body.length)] }),
      },
      body,
    },
    overTls: scheme === 'https' || (scheme === 'both' && draft.overTls),
    client: draft.client,
  };
}

/** Returns one matcher set of each route on the way to a configuration path, outermost first. */
function setsAround(random: Random, document: Json, place: string): JsonObject[] {
  const sets: JsonObject[] = [];
  let node: Json | undefined = document;
  for (const key of parseWhere(place) ?? []) {
    node = isArray(node) ? node[Number(key)] : isObject(node) ? node[key] : undefined;
    const match = isObject(node) ? node['match'] : undefined;
    if (isArray(match) && match.length > 0) sets.push(random.pick(match) as JsonObject);
  }
  // Sometimes omits the last matcher set. The request then reaches the list that contains the route, where an earlier route may change it.
  return random.chance(0.4) ? sets.slice(0, -1) : sets;
}

/** Returns a different spelling of a path. Some spellings are equivalent to the original. */
function respelt(random: Random, path: string): string {
  switch (random.integer(0, 5)) {
    case 0:
      return mixedCase(path, random);
    case 1:
      return path.replace(/[ab]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    case 2:
      return path.replace('/', '//');
    case 3:
      return `/x/..${path}`;
    case 4:
      return path.replace(/(.)\//, '$1%2F');
    default:
      return path.endsWith('/') ? path.slice(0, -1) || '/' : `${path}/.`;
  }
}
