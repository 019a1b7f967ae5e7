/** Makes random changes to a generated configuration. The changes resemble changes that operators make. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import type { Random } from '../../differential/random.ts';
import { handlersOf } from '../handlers.ts';
import { matchersOf } from '../matchers.ts';
import { hostOf } from '../vocabulary.ts';
import type { World } from '../world.ts';

/** A list of routes in the mutable copy of a document. */
type Routes = Json[];

/** Returns a copy of the document with one to three random changes. */
export function mutate(random: Random, document: Json, world: World): Json {
  const copy = structuredClone(document);
  for (let left = random.integer(1, 3); left > 0; left--) {
    const lists = listsIn(copy);
    const routes = random.pick(lists);
    random.pick(changes)(random, routes, world);
  }
  return copy;
}

function listsIn(value: Json, found: Routes[] = []): Routes[] {
  if (isArray(value)) for (const each of value) listsIn(each, found);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'routes' && isArray(inner)) found.push(inner as Routes);
      listsIn(inner, found);
    }
  return found;
}

type Change = (random: Random, routes: Routes, world: World) => void;

const changes: readonly Change[] = [
  // Adds, removes, moves or copies a route.
  (random, routes, world) => {
    const handle = handlersOf(random, 'added', { depth: 0, world, inner: () => ({}) });
    const route: JsonObject = { handle, ...(random.chance(0.8) ? { match: matchersOf(random, 1) } : {}) };
    routes.splice(random.integer(0, routes.length), 0, route);
  },
  (random, routes) => void routes.splice(random.integer(0, routes.length), 1),
  (random, routes) => {
    const [moved] = routes.splice(random.integer(0, routes.length), 1);
    if (moved !== undefined) routes.splice(random.integer(0, routes.length), 0, moved);
  },
  // Changes the matchers or handlers of a route.
  (random, routes) => edit(random, routes, (route) => ({ ...route, match: matchersOf(random, random.integer(1, 2)) })),
  (random, routes) =>
    edit(random, routes, (route) => ({ ...route, match: [{ host: [hostOf(random.integer(0, 3))] }] })),
  (random, routes) =>
    edit(random, routes, (route) => Object.fromEntries(Object.entries(route).filter(([key]) => key !== 'match'))),
  (random, routes) => edit(random, routes, (route) => ({ ...route, terminal: route['terminal'] !== true })),
  (random, routes, world) =>
    edit(random, routes, (route) => ({
      ...route,
      handle: handlersOf(random, 'edited', { depth: 0, world, inner: () => ({}) }),
    })),
  (random, routes) =>
    edit(random, routes, (route) => {
      const handle = isArray(route['handle'] ?? null) ? [...(route['handle'] as Json[])] : [];
      handle.splice(random.integer(0, handle.length), 1);
      return { ...route, handle };
    }),
  (random, routes) =>
    edit(random, routes, (route) => {
      const added: JsonObject = random.pick([
        { handler: 'headers', response: { set: { 'X-Changed': ['1'] } } },
        { handler: 'headers', request: { set: { 'X-Changed': ['1'] } } },
        { handler: 'rewrite', uri: '/a/b' },
        { handler: 'static_response', status_code: 403, body: 'no' },
      ]);
      return { ...route, handle: [added, ...((route['handle'] ?? []) as Json[])] };
    }),
];

function edit(random: Random, routes: Routes, change: (route: JsonObject) => JsonObject): void {
  const at = random.integer(0, routes.length - 1);
  const route = routes[at];
  if (route !== undefined && isObject(route)) routes[at] = change(route);
}
