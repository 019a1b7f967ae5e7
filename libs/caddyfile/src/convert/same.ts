/** When two pieces of configuration are the same. */
import { isArray, isObject, jsonEqual, type Json, type JsonObject } from '@sluice/base';

/**
 * Whether two values mean the same: they are equal but for the names of groups, which are only numbers of the adapter, and
 * for routes that stand in a subroute for all requests, as a block `route` makes them.
 */
export function sameMeaning(a: Json, b: Json): boolean {
  return sameButGroups(flattened(a), flattened(b));
}

/** Whether two values are equal but for the names of groups. */
export function sameButGroups(a: Json, b: Json): boolean {
  return jsonEqual(withGroupsNumbered(a), withGroupsNumbered(b));
}

/** The value with its routes as flat as they can be. */
function flattened(value: Json): Json {
  if (isArray(value)) return value.every(isRoute) ? value.flatMap(flatRoutes) : value.map(flattened);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, flattened(item)]));
}

function isRoute(value: Json): boolean {
  return isObject(value) && isArray(value['handle']);
}

/** Each handler of a route for all requests has one of its own; those of a subroute take its place. */
function flatRoutes(value: Json): readonly Json[] {
  const route = flattenedFields(value);
  const { handle, ...others } = route;
  if (Object.keys(others).length > 0 || !isArray(handle)) return [route];
  return handle.flatMap((handler) => {
    const { handler: name, routes, ...more } = isObject(handler) ? handler : {};
    const plain = name === 'subroute' && Object.keys(more).length === 0 && isArray(routes);
    return plain ? routes : [{ handle: [handler] }];
  });
}

function flattenedFields(value: Json): JsonObject {
  const fields = isObject(value) ? value : {};
  return Object.fromEntries(Object.entries(fields).map(([key, item]) => [key, flattened(item)]));
}

/** The value with the groups of its routes named by the order in which they appear. */
export function withGroupsNumbered(value: Json): Json {
  const names = new Map<string, string>();
  const walk = (each: Json): Json => {
    if (isArray(each)) return each.map(walk);
    if (!isObject(each)) return each;
    const entries = Object.entries(each).sort(([x], [y]) => (x < y ? -1 : 1));
    return Object.fromEntries(
      entries.map(([key, item]) => [key, isGroup(each, key, item) ? nameOf(item) : walk(item)]),
    );
  };
  const nameOf = (group: string): string => {
    const known = names.get(group) ?? `group${names.size}`;
    names.set(group, known);
    return known;
  };
  return walk(value);
}

function isGroup(owner: JsonObject, key: string, value: Json): value is string {
  return key === 'group' && typeof value === 'string' && isArray(owner['handle']);
}

/** A place at which two documents differ: its JSON path, and what each of them has there. */
export interface Difference {
  readonly path: string;
  readonly wanted: Json | undefined;
  readonly made: Json | undefined;
}

/** The places at which documents differ, as deep as objects and lists of one length go. */
export function differences(wanted: Json | undefined, made: Json | undefined, path = ''): Difference[] {
  if (wanted === undefined || made === undefined) return wanted === made ? [] : [{ path, wanted, made }];
  if (jsonEqual(wanted, made)) return [];
  if (isArray(wanted) && isArray(made) && wanted.length === made.length) {
    return wanted.flatMap((each, at) => differences(each, made[at], `${path}[${at}]`));
  }
  if (isObject(wanted) && isObject(made)) {
    const keys = [...new Set([...Object.keys(wanted), ...Object.keys(made)])];
    return keys.flatMap((key) => differences(wanted[key], made[key], path === '' ? key : `${path}.${key}`));
  }
  return [{ path, wanted, made }];
}
