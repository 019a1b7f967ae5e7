/** Map from block names, as used by the threads, to configured routes. Rebuilt when servers change. */
import { formatWhere, isArray, isObject, type Json, itemAt } from '@sluice/base';
import { aroundHash, idOf, namesHost, type RequestBlockName, routeHash, serverHash } from '@sluice/http-app';

/** A route in the configuration document, and its position. */
export class DocumentRoute {
  readonly server: string;
  readonly node: Json;
  /** Surrounding route. */
  readonly outer: DocumentRoute | null;
  /** Hash of the route, equal in every configuration that contains the route. */
  readonly key: string;
  readonly #path: readonly (string | number)[];

  /** `twin` distinguishes identical routes of the same server. */
  constructor(node: Json, { server, path, outer }: Position, twin: string) {
    this.server = server;
    this.node = node;
    this.outer = outer;
    this.key = twin;
    this.#path = path;
  }

  /** Path in the configuration document: `apps.http.servers.s.routes[3]`. */
  get path(): string {
    return formatWhere(this.#path);
  }

  get id(): string | null {
    return idOf(this.node);
  }

  /** Returns the configuration nodes of the route and its enclosing routes, innermost first. */
  nodes(): Json[] {
    return [this.node, ...(this.outer?.nodes() ?? [])];
  }
}

export class DocumentRoutes {
  readonly #servers = new Map<string, string>();
  readonly #routes = new Map<string, DocumentRoute[]>();

  /** `servers` contains the names of running servers, including servers that are no longer configured. */
  constructor(document: Json, servers: Iterable<string>) {
    for (const name of servers) this.#servers.set(serverHash(name), name);
    const configured = serversOf(document);
    if (!isObject(configured)) return;
    for (const [name, node] of Object.entries(configured)) {
      this.#servers.set(serverHash(name), name);
      this.#visit(node, { server: name, path: ['apps', 'http', 'servers', name], outer: null });
    }
  }

  *all(): IterableIterator<DocumentRoute> {
    for (const routes of this.#routes.values()) yield* routes;
  }

  /** Returns the name of a block's server. Returns `null` if the server no longer exists. */
  serverOf({ server }: RequestBlockName): string | null {
    return this.#servers.get(server) ?? null;
  }

  /**
   * Returns the route of a counter block, or `null` if the route no longer exists. Among identical routes, prefers a route with the same
   * enclosing routes, and otherwise a route for the same host.
   */
  routeOf({ server, route, around, host }: RequestBlockName): DocumentRoute | null {
    const routes = this.#routes.get(server + route) ?? [];
    if (routes.length <= 1) return routes[0] ?? null;
    const same = routes.filter(({ outer }) => aroundHash(outer?.nodes() ?? []) === around);
    const candidates = same.length > 0 ? same : routes;
    return candidates.find((each) => namesHost(each.nodes(), host)) ?? itemAt(candidates, 0);
  }

  #visit(value: Json, at: Position): void {
    if (isArray(value)) {
      for (const [i, item] of value.entries()) this.#visit(item, { ...at, path: [...at.path, i] });
      return;
    }
    if (!isObject(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== 'object' || inner === null) continue;
      const path = [...at.path, key];
      if (key === 'routes' && isArray(inner))
        for (const [i, route] of inner.entries()) this.#add(route, { ...at, path: [...path, i] });
      else if (key === 'named_routes' && isObject(inner) && at.outer === null)
        for (const [name, route] of Object.entries(inner)) this.#add(route, { ...at, path: [...path, name] });
      else this.#visit(inner, { ...at, path });
    }
  }

  #add(node: Json, at: Position): void {
    if (!isObject(node)) return;
    const key = serverHash(at.server) + routeHash(node);
    const same = this.#routes.get(key) ?? [];
    const route = new DocumentRoute(node, at, `${key} ${same.length}`);
    same.push(route);
    this.#routes.set(key, same);
    this.#visit(node, { ...at, outer: route });
  }
}

/** Position of a route node in the document. */
interface Position {
  readonly server: string;
  readonly path: readonly (string | number)[];
  readonly outer: DocumentRoute | null;
}

/** Returns the `servers` node of a document. If two documents share this node, their routes are identical. */
export function serversOf(document: Json): Json {
  const apps = isObject(document) ? document['apps'] : null;
  const http = isObject(apps) ? apps['http'] : null;
  return isObject(http) ? (http['servers'] ?? null) : null;
}
