/**
 * Finds the requests that a route change may affect. Only these requests need to be explained. A request is unaffected if it cannot match a
 * changed route and does not depend on any other change.
 */
import { isArray, isObject, jsonEqual, spliceOfLists, valueAt, type Json, type JsonObject } from '@sluice/base';
import { hostKey, pathKeyOf, wildcardKey, type HttpApp, type Route } from '@sluice/http-app';

/** Request as recorded. */
interface RequestTarget {
  readonly host: string;
  /** Decoded path. */
  readonly path: string;
}

/** Configuration before or after a change. */
interface Configured {
  readonly app: HttpApp;
  readonly document: Json;
}

export type IsAffected = (target: RequestTarget) => boolean;

/** Handlers that don't change the host or path of a request. Their nested handlers may still change the host or path. */
const keepsTarget: ReadonlySet<string> = new Set([
  ...['acme_server', 'authentication', 'cache', 'concurrency_limit', 'copy_response', 'copy_response_headers'],
  ...['encode', 'error', 'file_server', 'intercept', 'invoke', 'log_append', 'map', 'metrics', 'mirror', 'push'],
  ...['rate_limit', 'replace_response', 'request_body', 'reverse_proxy', 'static_response', 'subroute', 'templates'],
  ...['timeouts', 'tracing', 'vars', 'waf', 'webdav'],
]);

/** Returns a function that reports whether a request may be affected. Returns `null` if every request may be affected. */
export function affectedBy(before: Configured, after: Configured): IsAffected | null {
  if (!areEqualExcept(withoutServers(before.document), withoutServers(after.document), unrelated)) return null;
  const [had, has] = [serversIn(before.document), serversIn(after.document)];
  if (!jsonEqual(Object.keys(had), Object.keys(has))) return null;
  const changed: Route[] = [];
  const targets = { host: true, path: true };
  for (const [name, node] of Object.entries(had)) {
    const now = has[name] ?? null;
    if (now === node) continue;
    const servers = [before.app.servers.get(name), after.app.servers.get(name)] as const;
    if (!isObject(node) || !isObject(now) || servers[0] === undefined || servers[1] === undefined) return null;
    if (!areEqualExcept(node, now, ownRoutes)) return null;
    const lists = [servers[0].routes.routes, servers[1].routes.routes] as const;
    const { start, removed, inserted } = spliceOfLists(...lists);
    const routes = [...lists[0].slice(start, start + removed), ...lists[1].slice(start, start + inserted)];
    const isIndexed = servers[0].routes.indexed && servers[1].routes.indexed;
    if (!routes.every((route) => isIsolated(route, isIndexed))) return null;
    changed.push(...routes);
    noteChangedTargets(node, targets);
    noteChangedTargets(now, targets);
  }
  return testOf(changed, targets);
}

/** Configuration sections that do not affect request handling. */
const unrelated: ReadonlySet<string> = new Set(['admin', 'logging']);
const ownRoutes: ReadonlySet<string> = new Set(['routes']);

function areEqualExcept(a: JsonObject, b: JsonObject, names: ReadonlySet<string>): boolean {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(
    (key) => names.has(key) || jsonEqual(a[key] ?? null, b[key] ?? null),
  );
}

function serversIn(document: Json): JsonObject {
  const servers = valueAt(document, ['apps', 'http', 'servers']) ?? null;
  return isObject(servers) ? servers : {};
}

/** Returns the document without the HTTP servers. The remaining options of the `http` app become a separate member. */
function withoutServers(document: Json): JsonObject {
  if (!isObject(document)) return {};
  const { apps = {}, ...sections } = document;
  const { http = {}, ...others } = isObject(apps) ? apps : {};
  const { servers: _, ...options } = isObject(http) ? http : {};
  return { ...sections, apps: others, http: options };
}

/** Reports whether a request still has its original host and path when it reaches a route of the server. */
interface KeptTargets {
  host: boolean;
  path: boolean;
}

/**
 * Records which requests may reach later routes with a changed host or path. A `terminal` route is the last route for its requests, so its
 * changes to these requests do not affect other routes.
 */
function noteChangedTargets({ routes = [], named_routes: named = null }: JsonObject, targets: KeptTargets): void {
  if (isArray(routes))
    for (const route of routes) if (!isObject(route) || route['terminal'] !== true) noteChanges(route, targets);
  noteChanges(named, targets);
}

function noteChanges(value: Json, targets: KeptTargets): void {
  if (isArray(value)) for (const each of value) noteChanges(each, targets);
  if (!isObject(value)) return;
  const { handler } = value;
  if (typeof handler === 'string' && !keepsTarget.has(handler)) {
    const isRewrite = handler === 'rewrite';
    if (isRewrite || handler !== 'headers') targets.path = false;
    if (handler === 'headers' ? mayChangeHost(value) : !isRewrite) targets.host = false;
  }
  for (const inner of Object.values(value)) if (typeof inner === 'object') noteChanges(inner, targets);
}

/** Reports whether header operations may change the host. A header name may contain a placeholder or wildcard. */
function mayChangeHost({ request = null }: JsonObject): boolean {
  if (!isObject(request)) return false;
  const { add = {}, set = {}, replace = {}, delete: deleted = [] } = request;
  const names = [add, set, replace].flatMap((fields) => (isObject(fields) ? Object.keys(fields) : []));
  return [...names, ...(isArray(deleted) ? deleted.map(String) : [])].some((name) => /^host$|[*{]/i.test(name));
}

/** Matchers without side effects. Other matchers may set placeholders for later routes even if the matcher set as a whole does not match. */
const plainMatchers: ReadonlySet<string> = new Set([
  ...['host', 'path', 'method', 'header', 'query', 'protocol', 'remote_ip', 'client_ip', 'tls'],
]);

/**
 * Reports whether a route affects only the requests that it matches. For other requests, the server doesn't even evaluate the matchers of
 * an indexed route.
 */
function isIsolated({ matcherPlace: { node } }: Route, isIndexed: boolean): boolean {
  const { match = [] } = isObject(node) ? node : {};
  return (
    isIndexed ||
    (isArray(match) && match.every((set) => isObject(set) && Object.keys(set).every((name) => plainMatchers.has(name))))
  );
}

function testOf(changed: readonly Route[], targets: KeptTargets): IsAffected | null {
  const hosts = new Set<string>();
  const paths = new Set<string>();
  for (const { keys } of changed) {
    if (keys === null) return null;
    for (const host of keys.hosts) hosts.add(host);
    for (const path of keys.paths) paths.add(path);
  }
  if ((hosts.size > 0 && !targets.host) || (paths.size > 0 && !targets.path)) return null;
  return ({ host, path }) => hasHost(hosts, host) || hasPath(paths, path);
}

function hasHost(hosts: ReadonlySet<string>, host: string): boolean {
  const key = hostKey(host);
  return hosts.has(key) || hosts.has(wildcardKey(key));
}

function hasPath(paths: ReadonlySet<string>, path: string): boolean {
  if (paths.size === 0) return false;
  const key = pathKeyOf(path);
  if (key === null || paths.has(key)) return true;
  for (let slash = key.lastIndexOf('/'); slash >= 0; slash = slash === 0 ? -1 : key.lastIndexOf('/', slash - 1))
    if (paths.has(`${key.slice(0, slash + 1)}*`)) return true;
  return false;
}
