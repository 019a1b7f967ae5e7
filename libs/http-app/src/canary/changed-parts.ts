/** Finds the routes of a server whose requests a change may affect. A canary compares only these requests. */
import { isArray, isObject, jsonEqual, own, type Json, type JsonObject } from '@sluice/base';

/**
 * Affected routes, as JSON nodes of the configurations before and after the change. `null` means the entire server. A route includes its
 * nested routes.
 *
 * Both sides must receive the same requests. If a change affects which route handles a request, the enclosing route is compared. Nested
 * routes that the change keeps belong to both sides. Each side therefore counts a request if the request's handler is in any of its routes.
 */
export type ChangedParts = ReadonlySet<Json> | null;

/** A route before and after the change, and the enclosing routes. */
interface Pair {
  readonly old: JsonObject;
  readonly now: JsonObject;
  readonly around: Pair | null;
}

interface Found {
  readonly routes: Set<Json>;
  isWhole: boolean;
}

/** Compares two configurations of a server. Equal subtrees must be identical objects. */
export function changedParts(before: Json, after: Json): ChangedParts {
  if (before === after || !isObject(before) || !isObject(after)) return null;
  // If a request ends in an error route, it is counted at the handler that failed.
  if (own(before, 'errors') !== own(after, 'errors') || !isSameApartFromRoutes(before, after)) return null;
  const found = { routes: new Set<Json>(), isWhole: false };
  compare(before, after, null, found);
  return found.isWhole || found.routes.size === 0 ? null : found.routes;
}

function compare(before: Json | undefined, after: Json | undefined, around: Pair | null, found: Found): void {
  if (before === after || before === undefined || after === undefined) return;
  if (isArray(before) && isArray(after)) {
    for (const [i, value] of before.entries()) compare(value, after[i], around, found);
  } else if (isObject(before) && isObject(after))
    for (const key of keysOf(before, after)) {
      const [old, now] = [own(before, key), own(after, key)];
      if (isRoutes(key, old) || isRoutes(key, now)) compareRoutes(elementsOf(old), elementsOf(now), around, found);
      else compare(old, now, around, found);
    }
}

function compareRoutes(before: readonly Json[], after: readonly Json[], around: Pair | null, found: Found): void {
  if (before.length !== after.length) return add(around, found);
  for (const [i, old] of before.entries()) {
    const now = after[i];
    if (old === now) continue;
    if (now === undefined || !isObject(old) || !isObject(now) || !receivesSame(old, now)) return add(around, found);
    const pair = { old, now, around };
    if (isSameApartFromRoutes(old, now)) compare(old, now, pair, found);
    else add(pair, found);
  }
}

/**
 * Adds a route, or the innermost enclosing route that does not pass on requests. If a route passes requests on to later routes, these
 * requests would be counted at the later routes.
 */
function add(pair: Pair | null, found: Found): void {
  if (pair === null) found.isWhole = true;
  else if (passesOn(pair.old) || passesOn(pair.now)) add(pair.around, found);
  else found.routes.add(pair.old).add(pair.now);
}

/** Reports whether two routes at the same position match the same requests. */
function receivesSame(old: JsonObject, now: JsonObject): boolean {
  return ['match', 'group', 'terminal'].every((key) => jsonEqual(own(old, key) ?? null, own(now, key) ?? null));
}

/** Handlers that always respond to a request or fail. */
const final: ReadonlySet<string> = new Set(['error', 'file_server', 'reverse_proxy', 'static_response']);

/** Reports whether later routes may handle requests that match a route. */
function passesOn(route: Json): boolean {
  if (!isObject(route) || own(route, 'terminal') === true) return false;
  const handlers = elementsOf(own(route, 'handle'));
  return !handlers.some((handler) => isObject(handler) && isFinal(handler));
}

function isFinal(handler: JsonObject): boolean {
  const name = own(handler, 'handler');
  if (name !== 'subroute') return typeof name === 'string' && final.has(name) && own(handler, 'pass_thru') !== true;
  return elementsOf(own(handler, 'routes')).some(
    (route) => isObject(route) && elementsOf(own(route, 'match')).length === 0 && !passesOn(route),
  );
}

function isSameApartFromRoutes(before: Json | undefined, after: Json | undefined): boolean {
  if (before === after) return true;
  if (before === undefined || after === undefined) return false;
  if (isArray(before) && isArray(after))
    return before.length === after.length && before.every((value, i) => isSameApartFromRoutes(value, after[i]));
  if (!isObject(before) || !isObject(after)) return false;
  return [...keysOf(before, after)].every((key) => {
    const [old, now] = [own(before, key), own(after, key)];
    return isRoutes(key, old) || isRoutes(key, now) || isSameApartFromRoutes(old, now);
  });
}

function keysOf(before: JsonObject, after: JsonObject): ReadonlySet<string> {
  return new Set([...Object.keys(before), ...Object.keys(after)]);
}

function isRoutes(key: string, value: Json | undefined): boolean {
  if (value === undefined) return false;
  return (key === 'routes' && isArray(value)) || (key === 'named_routes' && isObject(value));
}

function elementsOf(routes: Json | undefined): readonly Json[] {
  if (routes === undefined) return [];
  return isArray(routes) ? routes : isObject(routes) ? Object.values(routes) : [];
}
