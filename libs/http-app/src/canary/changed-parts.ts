/** Routes of a server that a change affects, so that only their requests are compared. */
import { isArray, isObject, own, type Json } from '@sluice/base';

/** Routes of both sides, by configuration; `null` = the whole server. A route includes its nested routes. */
export interface ChangedParts {
  readonly gone: ReadonlySet<Json> | null;
  readonly made: ReadonlySet<Json> | null;
}

/** Compares two configurations of a server, whose equal subtrees are identical. */
export function changedParts(before: Json, after: Json): ChangedParts {
  const whole = { gone: null, made: null };
  if (before === after || !isObject(before) || !isObject(after)) return whole;
  // Requests that end in error routes are counted at the handler that failed.
  if (own(before, 'errors') !== own(after, 'errors') || !isSameApartFromRoutes(before, after)) return whole;
  const gone = new Set<Json>();
  const made = new Set<Json>();
  compare(before, after, gone, made);
  // Without an equivalent, for example for a new route, a route is compared with the whole server.
  return { gone: gone.size === 0 ? null : gone, made: made.size === 0 ? null : made };
}

function compare(before: Json | undefined, after: Json | undefined, gone: Set<Json>, made: Set<Json>): void {
  if (before === after || before === undefined || after === undefined) return;
  if (isArray(before) && isArray(after)) {
    for (const [i, value] of before.entries()) compare(value, after[i], gone, made);
  } else if (isObject(before) && isObject(after))
    for (const key of Object.keys(before)) {
      const [old, now] = [own(before, key), own(after, key)];
      if (isRoutes(key, old) || isRoutes(key, now)) compareRoutes(elementsOf(old), elementsOf(now), gone, made);
      else compare(old, now, gone, made);
    }
}

function compareRoutes(before: readonly Json[], after: readonly Json[], gone: Set<Json>, made: Set<Json>): void {
  const [old, now] = [new Set(before), new Set(after)];
  const [lost, added] = [before.filter((route) => !now.has(route)), after.filter((route) => !old.has(route))];
  for (const [i, route] of lost.entries()) {
    const other = added[i];
    if (lost.length === added.length && other !== undefined && isSameApartFromRoutes(route, other)) {
      compare(route, other, gone, made);
      added[i] = route;
    } else gone.add(route);
  }
  for (const route of added) if (!old.has(route)) made.add(route);
}

function isSameApartFromRoutes(before: Json | undefined, after: Json | undefined): boolean {
  if (before === after) return true;
  if (before === undefined || after === undefined) return false;
  if (isArray(before) && isArray(after))
    return before.length === after.length && before.every((value, i) => isSameApartFromRoutes(value, after[i]));
  if (!isObject(before) || !isObject(after)) return false;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].every((key) => {
    const [old, now] = [own(before, key), own(after, key)];
    return isRoutes(key, old) || isRoutes(key, now) || isSameApartFromRoutes(old, now);
  });
}

function isRoutes(key: string, value: Json | undefined): boolean {
  if (value === undefined) return false;
  return (key === 'routes' && isArray(value)) || (key === 'named_routes' && isObject(value));
}

function elementsOf(routes: Json | undefined): readonly Json[] {
  if (routes === undefined) return [];
  return isArray(routes) ? routes : isObject(routes) ? Object.values(routes) : [];
}
