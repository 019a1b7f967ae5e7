/**
 * Finds response headers that always occur together. Combines the headers that are set for all requests of a route list with the headers
 * that a route adds.
 */
import { isArray, isObject, own, type ConfigPath, type Json, type JsonObject } from '@sluice/base';
import { finder } from '@sluice/registry';
import type { HandlerModel, RoutesModel, ServerModel } from '../model.ts';

export interface PlacedField {
  readonly name: string;
  readonly value: string;
  readonly path: ConfigPath;
}

/** Headers, keyed by lowercase name. */
export type Fields = ReadonlyMap<string, PlacedField>;

/** Response headers at the point where a handler has set some of them. */
export interface FieldsTogether {
  /** All headers of the response so far. */
  readonly fields: Fields;
  /** Names of the headers that the handler has just set. */
  readonly fresh: ReadonlySet<string>;
  /** True if an enclosing matcher checks the `Origin` header. */
  readonly asksOrigin: boolean;
}

/** Calls `visit` for each handler that sets response headers. */
export function visitFields(server: ServerModel, visit: (found: FieldsTogether) => void): void {
  for (const list of [server.routes, server.errors]) visitList(list, new Map(), false, visit);
  for (const route of server.named.values()) visitList({ path: server.path, routes: [route] }, new Map(), false, visit);
}

type Visit = (found: FieldsTogether) => void;

function visitList({ routes }: RoutesModel, outer: Fields, asksOrigin: boolean, visit: Visit): Fields {
  let common = outer;
  for (const { sets, group, handlers, node } of routes) {
    const isForAll = sets.length === 0 && group === '';
    const asks = asksOrigin || namesOrigin(own(node, 'match') ?? null);
    let here = common;
    for (const handler of handlers) here = visitHandler(handler, here, asks, visit);
    if (isForAll) common = here;
  }
  return common;
}

function visitHandler(handler: HandlerModel, before: Fields, asksOrigin: boolean, visit: Visit): Fields {
  let here = before;
  const place = placeOf(handler);
  if (place !== null) {
    const after = new Map(before);
    const fresh = apply(place.operations, place.path, after);
    if (fresh.size > 0) visit({ fields: after, fresh, asksOrigin });
    here = after;
  }
  for (const list of handler.lists) {
    const inner = visitList(list, list.entry === 'request' ? here : new Map(), asksOrigin, visit);
    if (list.entry === 'request' && handler.lists.length === 1 && handler.name === 'subroute') here = inner;
  }
  return here;
}

interface Place {
  readonly operations: JsonObject;
  readonly path: ConfigPath;
}

/**
 * Returns the path of the option that sets response headers. Returns `null` if the handler sets no headers, or sets them only for some
 * responses.
 */
function placeOf({ name, node, path }: HandlerModel): Place | null {
  if (name === 'static_response') {
    const set = own(node, 'headers');
    return isObject(set) ? { operations: { set }, path: [...path, 'headers'] } : null;
  }
  const at = name === 'headers' ? ['response'] : name === 'reverse_proxy' ? ['headers', 'response'] : null;
  if (at === null) return null;
  let operations: Json | undefined = node;
  for (const key of at) operations = isObject(operations) ? own(operations, key) : undefined;
  return isObject(operations) && !own(operations, 'require') ? { operations, path: [...path, ...at] } : null;
}

/** Applies header operations: add, set, and delete. Returns the names of the headers that were set. */
function apply(operations: JsonObject, path: ConfigPath, fields: Map<string, PlacedField>): ReadonlySet<string> {
  const fresh = new Set<string>();
  for (const kind of ['add', 'set']) {
    const named = own(operations, kind);
    for (const [name, values] of isObject(named) ? Object.entries(named) : []) {
      const key = name.toLowerCase();
      const texts = isArray(values) ? values.filter((each) => typeof each === 'string') : [];
      const at = path.at(-1) === 'headers' ? [...path, name] : [...path, kind, name];
      const known = kind === 'add' ? fields.get(key) : undefined;
      fields.set(key, { name, value: [...(known === undefined ? [] : [known.value]), ...texts].join(', '), path: at });
      fresh.add(key);
    }
  }
  const removed = own(operations, 'delete');
  for (const name of isArray(removed) ? removed.map(String) : []) {
    // The pattern may match any header, so any of the headers may be removed.
    for (const key of [...fields.keys()])
      if (name.includes('*') || key === name.toLowerCase()) {
        fields.delete(key);
        fresh.delete(key);
      }
  }
  return fresh;
}

/** Reports whether the matchers depend on the `Origin` header. */
const namesOrigin = finder(
  (node) =>
    (typeof node === 'string' && /origin/i.test(node)) ||
    (isObject(node) && Object.keys(node).some((key) => key.toLowerCase() === 'origin')),
);
