/**
 * Generates boundary requests for changed routes. Each request matches, or just fails to match, a route that the change adds, edits, or
 * removes.
 */
import { isArray, isObject, valueAt, type Json, type JsonObject } from '@sluice/base';
import { hashNode } from '@sluice/reconciler';
import type { ExplainRequest } from '../explain/types.ts';
import { exampleOf } from './expression-example.ts';

/**
 * Maximum number of matcher sets per route. `maxValues` limits the number of hosts and of paths per set, and `maxRequests` limits the
 * number of generated requests.
 */
const maxSets = 4;
const maxValues = 3;
const maxRequests = 500;

/** Host name that matches no route (RFC 6761 §6.4). */
const otherHost = 'other.invalid';

/** Returns requests for the routes that only one of the documents contains. */
export function edgeRequests(before: Json, after: Json): ExplainRequest[] {
  const [there, here] = [routesIn(before), routesIn(after)];
  const requests = new Map<string, ExplainRequest>();
  for (const route of [...onlyIn(here, there), ...onlyIn(there, here)])
    for (const request of requestsFor(route)) {
      if (requests.size >= maxRequests) return [...requests.values()];
      requests.set(JSON.stringify(request), request);
    }
  return [...requests.values()];
}

/** A route with its server and the enclosing routes, outermost first. */
interface PlacedRoute {
  readonly server: string;
  readonly node: JsonObject;
  readonly around: readonly JsonObject[];
}

/** Routes of a document, keyed by their JSON node. Two documents share the nodes that a change does not affect. */
type Routes = ReadonlyMap<JsonObject, PlacedRoute>;

function routesIn(document: Json): Routes {
  const routes = new Map<JsonObject, PlacedRoute>();
  const servers = valueAt(document, ['apps', 'http', 'servers']);
  if (servers !== undefined && isObject(servers))
    for (const [server, node] of Object.entries(servers)) visit(node, { server, around: [] }, routes);
  return routes;
}

function visit(value: Json, at: Omit<PlacedRoute, 'node'>, routes: Map<JsonObject, PlacedRoute>): void {
  if (isArray(value)) for (const item of value) visit(item, at, routes);
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'object' || inner === null) continue;
    if (key !== 'routes' || !isArray(inner)) {
      visit(inner, at, routes);
      continue;
    }
    for (const node of inner)
      if (isObject(node)) {
        routes.set(node, { ...at, node });
        visit(node, { ...at, around: [...at.around, node] }, routes);
      }
  }
}

/** Returns the routes that only the first document contains. Compares the content, because a moved route may be a copy. */
function onlyIn(these: Routes, those: Routes): PlacedRoute[] {
  const unshared = (routes: Routes, others: Routes): PlacedRoute[] =>
    [...routes.values()].filter(({ node }) => !others.has(node));
  const known = new Set(unshared(those, these).map(({ server, node }) => `${server} ${hashNode(node)}`));
  return unshared(these, those).filter(({ server, node }) => !known.has(`${server} ${hashNode(node)}`));
}

/** Example request values that match a route. Covers only those matchers of the route for which an example exists. */
interface Wanted {
  readonly hosts: readonly string[];
  readonly paths: readonly string[];
  readonly methods: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly isTls: boolean | null;
}

function requestsFor({ server, node, around }: PlacedRoute): ExplainRequest[] {
  const requests: ExplainRequest[] = [];
  const inner = setsOf(node);
  for (const set of inner.length === 0 ? [{}] : inner.slice(0, maxSets)) {
    // Use only the first matcher set of each enclosing route.
    const outer = around.map((each) => setsOf(each)[0] ?? {});
    requests.push(...variants(wantedBy([...outer, set]), server));
  }
  return requests;
}

function setsOf(node: Json): JsonObject[] {
  const sets = isObject(node) ? node['match'] : undefined;
  return isArray(sets) ? sets.filter((set): set is JsonObject => isObject(set)) : [];
}

/** Combines matcher sets into request values. Inner sets override outer sets. */
function wantedBy(sets: readonly JsonObject[]): Wanted {
  let wanted: Wanted = { hosts: [], paths: [], methods: [], headers: {}, query: '', isTls: null };
  for (const set of sets) {
    const [hosts, methods] = [textsAt(set, 'host'), textsAt(set, 'method')];
    const paths = [...textsAt(set, 'path').map(examplePath), ...expressionPaths(set['path_regexp'])];
    const protocol = set['protocol'];
    wanted = {
      hosts: hosts.length > 0 ? hosts.map(exampleHost) : wanted.hosts,
      paths: paths.length > 0 ? paths : wanted.paths,
      methods: methods.length > 0 ? methods : wanted.methods,
      headers: { ...wanted.headers, ...exampleFields(set['header']) },
      query: exampleQuery(set['query']) || wanted.query,
      isTls: protocol === 'https' ? true : protocol === 'http' ? false : wanted.isTls,
    };
  }
  return wanted;
}

function textsAt(set: JsonObject, key: string): string[] {
  const values = set[key];
  const texts = isArray(values) ? values.filter((value): value is string => typeof value === 'string') : [];
  // Omit strings with placeholders, because they are not example values.
  return texts.filter((text) => !text.includes('{')).slice(0, maxValues);
}

function exampleHost(pattern: string): string {
  return pattern.replaceAll('*', 'example').toLowerCase();
}

function examplePath(pattern: string): string {
  const path = pattern.replaceAll('*', 'x');
  return path.startsWith('/') ? path : `/${path}`;
}

function expressionPaths(options: Json | undefined): string[] {
  const pattern = options !== undefined && isObject(options) ? options['pattern'] : undefined;
  const example = typeof pattern === 'string' ? exampleOf(pattern) : null;
  // Omit examples with other characters, because these would require percent-encoding.
  return example !== null && /^[\w./~!*+-]+$/.test(example) ? [examplePath(example)] : [];
}

function exampleFields(fields: Json | undefined): Record<string, string> {
  const examples: Record<string, string> = {};
  if (fields === undefined || !isObject(fields)) return examples;
  for (const [name, values] of Object.entries(fields)) {
    const first: Json = isArray(values) ? (values[0] ?? 'x') : null;
    if (typeof first === 'string' && /^[!#$%&'*+.^_`|~\w-]+$/.test(name)) examples[name] = first.replaceAll('*', 'x');
  }
  return examples;
}

function exampleQuery(query: Json | undefined): string {
  if (query === undefined || !isObject(query)) return '';
  const pairs = Object.entries(query).map(([name, values]): [string, string] => {
    const first: Json = isArray(values) ? (values[0] ?? '') : '';
    return [name, typeof first === 'string' ? first.replaceAll('*', 'x') : ''];
  });
  return new URLSearchParams(pairs).toString();
}

/** Returns a matching request for each host and path, and requests that match all but one of the matchers. */
function variants(wanted: Wanted, server: string): ExplainRequest[] {
  const { hosts, paths, methods, headers, query, isTls } = wanted;
  const [host = otherHost] = hosts;
  const [path = '/'] = paths;
  const [method = 'GET'] = methods;
  const make = (changed: Partial<{ host: string; path: string; method: string; headers: object; query: string }>) => {
    const of = { host, path, method, headers, query, ...changed };
    return {
      url: `${isTls === true ? 'https' : 'http'}://${of.host}${of.path}${of.query === '' ? '' : `?${of.query}`}`,
      method: of.method,
      headers: of.headers as Record<string, string>,
      server,
      client: '192.0.2.1:50000',
    } satisfies ExplainRequest;
  };
  const parent = path.replace(/\/[^/]*\/?$/, '') || '/';
  return [
    ...hosts.map((each) => make({ host: each })),
    ...paths.map((each) => make({ path: each })),
    make({}),
    make({ path: path.endsWith('/') ? path.slice(0, -1) || '/' : `${path}/` }),
    make({ path: `${path}-other` }),
    make({ path: `/other${path}` }),
    make({ path: parent }),
    make({ host: otherHost }),
    make({ host: `sub.${host}` }),
    make({ method: method === 'GET' ? 'POST' : 'GET' }),
    ...(Object.keys(headers).length > 0 ? [make({ headers: {} })] : []),
    ...(query === '' ? [] : [make({ query: '' })]),
  ];
}
