/** Follows a request through the routes of a server. Returns the outcome if it is certain. */
import { isArray, isObject, own, type JsonObject } from '@sluice/base';
import { onceForNode } from '@sluice/registry';
import { compiledPattern } from '../compiled-patterns.ts';
import { requestSet, type KnownMatchers, type RequestSet } from '../matcher-set.ts';
import type { HandlerModel, RouteModel, RoutesModel, ServerModel } from '../model.ts';
import { rewritten } from './rewrites.ts';
import { RouteFinder } from './route-finder.ts';
import { expand, type Visit } from './visit.ts';

/** Outcome of a request, if it is certain. */
export type Outcome =
  | { readonly kind: 'redirect'; readonly handler: HandlerModel; readonly location: string; readonly field: string }
  | { readonly kind: 'proxy'; readonly handler: HandlerModel; readonly visit: Visit };

/** Result for a request whose outcome depends on unknown facts. */
type Uncertain = 'uncertain';

/** Follows a request to its outcome. Returns `null` if the outcome is uncertain or is neither a redirect nor a proxied request. */
export function outcomeOf(server: ServerModel, visit: Visit, known: KnownMatchers): Outcome | null {
  const outcome = new Follower(server, visit, known).list(server.routes);
  return outcome === 'uncertain' ? null : outcome;
}

/** Index by host for a long list of routes. */
const findersOf = onceForNode((list: RoutesModel) => new RouteFinder(list.routes));

/** Maximum nesting depth of `invoke`. Deeper nesting is a loop, which another check reports. */
const maxDepth = 20;

class Follower {
  readonly #server: ServerModel;
  readonly #known: KnownMatchers;
  readonly #original: Visit;
  readonly #groups = new Set<string>();
  readonly #captures = new Map<string, string>();
  #visit: Visit;
  #point: RequestSet;
  #depth = 0;

  constructor(server: ServerModel, visit: Visit, known: KnownMatchers) {
    this.#server = server;
    this.#known = known;
    this.#original = visit;
    this.#visit = visit;
    this.#point = pointOf(visit, known);
  }

  list(list: RoutesModel): Outcome | Uncertain | null {
    for (const route of findersOf(list).find(this.#point)) {
      if (route.group !== '' && this.#groups.has(route.group)) continue;
      const matches = this.#matches(route);
      if (matches === null) return 'uncertain';
      if (!matches) continue;
      if (route.group !== '') this.#groups.add(route.group);
      const outcome = this.#route(route);
      if (outcome !== null) return outcome;
    }
    return null;
  }

  #route(route: RouteModel): Outcome | Uncertain | null {
    for (const handler of route.handlers) {
      const outcome = this.#handler(handler);
      if (outcome !== null) return outcome;
    }
    return route.terminal ? 'uncertain' : null;
  }

  #matches({ sets, node }: RouteModel): boolean | null {
    if (sets.length === 0) return true;
    const match = own(node, 'match');
    let isSure = true;
    for (const [index, set] of sets.entries()) {
      const matches = this.#matchesPattern(isArray(match) ? match[index] : undefined, set);
      if (matches === true) return true;
      if (matches === null) isSure = false;
    }
    return isSure ? false : null;
  }

  /**
   * Reports whether a path pattern matches. If the matcher set has no other matchers, the pattern determines whether the set matches. In
   * this case, the pattern also provides the captures.
   */
  #matchesPattern(node: unknown, set: RequestSet): boolean | null {
    const pattern = isObject(node as JsonObject) ? own(node as JsonObject, 'path_regexp') : undefined;
    if (!isObject(pattern)) return set.matches(this.#point);
    const { path_regexp: _, ...others } = node as JsonObject;
    const rest = requestSet(others, this.#known).matches(this.#point);
    if (rest === false) return false;
    const [name, text] = [own(pattern, 'name') ?? '', own(pattern, 'pattern')];
    if (typeof text !== 'string' || typeof name !== 'string' || text.includes('{http.')) return null;
    const compiled = compiledPattern(text);
    const groups = compiled?.exec(this.#visit.path) ?? null;
    if (compiled === null) return null;
    if (groups === null) return false;
    for (const [index, group] of groups.entries()) {
      if (name !== '') this.#captures.set(`http.regexp.${name}.${index}`, group ?? '');
      this.#captures.set(`http.regexp.${index}`, group ?? '');
    }
    for (const [group, index] of compiled.names)
      this.#captures.set(`http.regexp.${name}.${group}`, groups[index] ?? '');
    return rest;
  }

  #handler(handler: HandlerModel): Outcome | Uncertain | null {
    const { name, node, flow, lists } = handler;
    switch (name) {
      case 'subroute': {
        const [routes] = lists;
        return routes === undefined ? null : this.list(routes);
      }
      case 'invoke': {
        const route = this.#server.named.get(String(own(node, 'name')));
        if (route === undefined || ++this.#depth > maxDepth) return 'uncertain';
        return this.list({ path: route.path, routes: [route] });
      }
      case 'static_response':
        return this.#respond(handler);
      case 'reverse_proxy':
        return this.#proxy(handler);
      case 'rewrite':
        return this.#change(rewritten(this.#visit, node, (text) => this.#expand(text)));
      case 'headers':
        return this.#headers(node);
      case 'request_body':
        return null;
      default:
        return flow.responds === false && flow.passes === 'maybe' && flow.raises?.length === 0 && changesLittle(handler)
          ? null
          : 'uncertain';
    }
  }

  #change(visit: Visit | null): Uncertain | null {
    if (visit === null) return 'uncertain';
    this.#visit = visit;
    this.#point = pointOf(visit, this.#known);
    return null;
  }

  /** Applies operations to request headers. Tracks only the `Host` header, which sets the host. */
  #headers(node: JsonObject): Uncertain | null {
    const text = JSON.stringify(node).toLowerCase();
    if (text.includes('"location"') || text.includes('*"')) return 'uncertain';
    if (!text.includes('"host"')) return null;
    const request = own(node, 'request');
    const host = isObject(request) ? hostSetBy(request) : null;
    const expanded = host === null ? null : this.#expand(host);
    return this.#change(
      expanded === null || /[:[]/.test(expanded) ? null : { ...this.#visit, host: expanded.toLowerCase() },
    );
  }

  #respond(handler: HandlerModel): Outcome | Uncertain {
    const status = Number(own(handler.node, 'status_code'));
    const headers = own(handler.node, 'headers');
    if (![301, 302, 303, 307, 308].includes(status) || !isObject(headers)) return 'uncertain';
    const [field = '', values] = Object.entries(headers).find(([key]) => key.toLowerCase() === 'location') ?? [];
    const [value] = isArray(values) ? values : [];
    const location = typeof value === 'string' ? this.#expand(value) : null;
    return location === null || location === '' ? 'uncertain' : { kind: 'redirect', handler, location, field };
  }

  /** Returns the request that the proxy sends to the upstream. */
  #proxy(handler: HandlerModel): Outcome | Uncertain {
    const change = own(handler.node, 'rewrite');
    const visit = isObject(change) ? rewritten(this.#visit, change, (text) => this.#expand(text)) : this.#visit;
    const headers = own(handler.node, 'headers');
    const request = isObject(headers) ? own(headers, 'request') : undefined;
    if (visit === null) return 'uncertain';
    if (!isObject(request) || !/"host"/i.test(JSON.stringify(request))) return { kind: 'proxy', handler, visit };
    const host = hostSetBy(request);
    const expanded = host === null ? null : this.#expand(host);
    return expanded === null || /[:[]/.test(expanded)
      ? 'uncertain'
      : { kind: 'proxy', handler, visit: { ...visit, host: expanded.toLowerCase() } };
  }

  #expand(text: string): string | null {
    return expand(text, this.#visit, this.#original, this.#captures);
  }
}

/** Returns the value that header operations assign to the `Host` header. */
function hostSetBy(request: JsonObject): string | null {
  const set = own(request, 'set');
  const [, values] = (isObject(set) ? Object.entries(set) : []).find(([key]) => key.toLowerCase() === 'host') ?? [];
  const [value] = isArray(values) ? values : [];
  return typeof value === 'string' ? value : null;
}

function changesLittle({ flow }: HandlerModel): boolean {
  return flow.changes?.every((each) => each === 'vars' || each === 'header' || each === 'body') === true;
}

/** Returns a matcher set that matches only this request, as far as the request is known. */
function pointOf({ scheme, host, path, method }: Visit, known: KnownMatchers): RequestSet {
  return requestSet(
    { protocol: scheme, host: [host], method: [method], ...(/[*?[\\]/.test(path) ? {} : { path: [path] }) },
    known,
  );
}
