/** Handlers that a request passes and that the outcome alone does not reveal, such as authentication. */
import { objectAt, isArray, isObject, parseWhere, valueAt, type Json, type JsonObject } from '@sluice/base';
import { getAt, hashNode } from '@sluice/reconciler';
import type { Explanation, Step } from '../explain/types.ts';
import type { Aspect, Difference } from './types.ts';

/** Aspects of handlers that may reject a request or respond to it, depending on state or secrets. */
const aspectOf: ReadonlyMap<string, Aspect> = new Map([
  ['http.handlers.authentication', 'authentication'],
  ['http.handlers.rate_limit', 'rate_limit'],
  ['http.handlers.concurrency_limit', 'rate_limit'],
  ['http.handlers.cache', 'cache'],
  ['http.handlers.encode', 'encoding'],
  ['http.handlers.reverse_proxy', 'handlers'],
  ['http.handlers.request_body', 'handlers'],
  ['http.handlers.mirror', 'handlers'],
  ['http.handlers.waf', 'handlers'],
]);

/** Hashes of the options of handlers that the request passed, keyed by aspect and module name. */
type Traversed = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Handler options that take effect only after an upstream has responded or failed. The comparison has no upstream responses, so it compares
 * these options directly.
 */
const responseOptions: ReadonlyMap<string, (options: JsonObject) => Json> = new Map([
  [
    'http.handlers.reverse_proxy',
    (options) => [
      ...['transport', 'load_balancing', 'health_checks', 'handle_response'].map((key) => options[key] ?? null),
      removals(objectAt(options, ['headers'])['response']),
    ],
  ],
  ['http.handlers.headers', (options) => removals(options['response'])],
]);

/** Returns the operations on headers that a response may lack, and the operations that depend on the response. */
function removals(operations: Json | undefined): Json {
  if (operations === undefined || !isObject(operations)) return null;
  const { delete: deleted = null, replace = null, require: required = null } = operations;
  if (required !== null) return operations;
  return deleted === null && replace === null ? null : [deleted, replace];
}

/** Compares the handlers that the request passed, except for the handler that ended the request. */
export function traversedDifferences(
  before: Explanation,
  after: Explanation,
  documents: { readonly before: Json; readonly after: Json },
): Difference[] {
  const had = traversedBy(before, documents.before);
  const has = traversedBy(after, documents.after);
  const differences: Difference[] = [];
  for (const key of new Set([...had.keys(), ...has.keys()])) {
    const [then, now] = [had.get(key), has.get(key)];
    if (then !== undefined && now !== undefined && then.size === now.size && then.isSubsetOf(now)) continue;
    const [aspect, name] = splitFirst(key);
    differences.push({ aspect, name, before: shownSet(then), after: shownSet(now) });
  }
  return differences;
}

function splitFirst(key: string): [Aspect, string] {
  const space = key.indexOf(' ');
  return [key.slice(0, space) as Aspect, key.slice(space + 1)];
}

function shownSet(hashes: ReadonlySet<string> | undefined): Json {
  return hashes === undefined ? null : [...hashes].toSorted();
}

function traversedBy({ paths }: Explanation, document: Json): Traversed {
  const found = new Map<string, Set<string>>();
  const add = (key: string, hash: string): void => {
    let hashes = found.get(key);
    if (hashes === undefined) found.set(key, (hashes = new Set()));
    hashes.add(hash);
  };
  for (const { steps, outcome } of paths)
    visit(steps, ({ kind, id, path }) => {
      if (kind !== 'handler') return;
      const name = id.slice(id.lastIndexOf('.') + 1);
      const options = outcome.upstream === null ? undefined : responseOptions.get(id);
      const compared = options?.(nodeAt(document, path)) ?? null;
      if (compared !== null) add(`handlers ${name} (responses)`, hashNode(without(ids, compared)));
      const aspect = aspectOf.get(id);
      if (aspect !== undefined && (aspect !== 'handlers' || path !== outcome.handler))
        add(`${aspect} ${name}`, hashAt(document, path));
    });
  return found;
}

/** Reports whether two explanations have the same steps with the same options. In this case, unknown request properties have the same effect in both. */
export function isSameWalk(
  before: Explanation,
  after: Explanation,
  documents: { readonly before: Json; readonly after: Json },
): boolean {
  if (before.truncated !== null || after.truncated !== null || before.more_paths || after.more_paths) return false;
  return walkOf(before, documents.before) === walkOf(after, documents.after);
}

function walkOf({ paths, request: { server } }: Explanation, document: Json): string {
  const walked: unknown[] = [];
  for (const { steps, outcome } of paths) {
    // After an unknown response, other nested routes and error routes may run, so include them in the hash.
    const hashOf = outcome.kind === 'outward' ? hashAt : optionsHash;
    if (outcome.kind === 'outward')
      walked.push(hashNode(valueAt(document, ['apps', 'http', 'servers', server, 'errors']) ?? null));
    walked.push(outcome.kind, outcome.status, outcome.upstream?.address ?? null);
    visit(steps, ({ kind, id, path, verdict, changed }) => {
      // Ignore the positions of routes, and routes that don't match.
      if (kind === 'handler') walked.push(id, hashOf(document, path), changed);
      else if (kind !== 'index' && kind !== 'route' && verdict !== false)
        walked.push(id, verdict, hashAt(document, path));
    });
  }
  return JSON.stringify(walked);
}

/** Returns a hash of a handler's options without nested routes, because nested routes are separate steps. */
function optionsHash(document: Json, where: string): string {
  return hashNode(without(idsAndRoutes, valueOf(document, where)));
}

const ids: ReadonlySet<string> = new Set(['@id']);
const idsAndRoutes: ReadonlySet<string> = new Set(['@id', 'routes']);

/** Returns a copy of a value without the named members. */
function without(names: ReadonlySet<string>, value: Json): Json {
  if (isArray(value)) return value.map((each) => without(names, each));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (names.has(name) ? [] : [[name, without(names, inner)]])),
  );
}

/** Returns a hash of the value at a path such as `apps.http.servers.s.routes[0]`. */
export function hashAt(document: Json, where: string): string {
  return hashNode(without(ids, valueOf(document, where)));
}

function nodeAt(document: Json, where: string): JsonObject {
  const value = valueOf(document, where);
  return isObject(value) ? value : {};
}

function valueOf(document: Json, where: string): Json {
  const path = parseWhere(where);
  return path === null ? null : (getAt(document, path) ?? null);
}

function visit(steps: readonly Step[], look: (step: Step) => void): void {
  for (const step of steps) {
    look(step);
    visit(step.steps, look);
  }
}
