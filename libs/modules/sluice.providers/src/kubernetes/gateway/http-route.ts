/** Translates an HTTPRoute to fragments, and to its status for each Gateway. */
import type { Json, JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { keyOf, type HttpRoute, type ParentReference, type RouteMatch, type RouteRule } from '../objects.ts';
import { attach, gatewayOf, type Attached } from './attachment.ts';
import { backendsOf } from './backends.ts';
import { targets, type ClusterView, type Scope } from './cluster-view.ts';
import { holds, type Finding } from './conditions.ts';
import { handlersOf, UnsupportedError } from './filters.ts';
import { hostMatchers, hostnameRank } from './hostnames.ts';
import type { Listener } from './listener.ts';
import { serverName, serverOptions } from './listener-fragments.ts';
import { combined, matchersOf, matchRank, prefixOf } from './matches.ts';

export interface TranslatedParent {
  readonly reference: ParentReference;
  readonly findings: readonly Finding[];
}

export interface TranslatedRoute {
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly parents: readonly TranslatedParent[];
  /** Listeners with the route, as `namespace/gateway/listener`. */
  readonly attachedTo: ReadonlySet<string>;
  /** Objects that the result depends on. */
  readonly dependsOn: ReadonlySet<string>;
  /** Reasons why rules are not served. */
  readonly unsupported: readonly string[];
}

/**
 * Each match of each rule is a fragment. The rank of a fragment determines its position among the matches of all routes, so a change of one
 * route does not affect other routes.
 */
export function translateRoute(route: HttpRoute, view: ClusterView): TranslatedRoute {
  const dependsOn = new Set<string>();
  const namespace = route.metadata.namespace ?? '';
  dependsOn.add(targets.namespace(namespace));
  const parents: { reference: ParentReference; accepted: Finding }[] = [];
  const attached = new Map<Listener, Set<string>>();
  for (const reference of route.spec.parentRefs ?? []) {
    const gateway = gatewayOf(reference, namespace);
    if (gateway === null) continue;
    dependsOn.add(targets.gateway(gateway));
    const listeners = view.listenersOf(gateway);
    if (listeners === undefined) continue;
    const attachment = attach(route, reference, listeners, view);
    parents.push({ reference, accepted: attachment.accepted });
    for (const { listener, hostnames } of attachment.attached)
      attached.set(listener, new Set([...(attached.get(listener) ?? []), ...hostnames]));
  }
  if (parents.length === 0)
    return { fragments: new Map(), parents: [], attachedTo: new Set(), dependsOn, unsupported: [] };
  const places = placesOf([...attached].map(([listener, hostnames]) => ({ listener, hostnames: [...hostnames] })));
  const problems: Finding[] = [];
  const unsupported: string[] = [];
  const fragments = new Map<string, Fragment>();
  for (const [index, rule] of (route.spec.rules ?? []).entries()) {
    const translate = ruleTranslator(rule, { namespace, view, dependsOn }, problems);
    const reasons = new Set<string>();
    for (const [i, match] of (rule.matches ?? [{}]).entries())
      for (const [n, [hostRank, servers]] of [...places].entries()) {
        const key = `httproute/${keyOf(route)}/${index}.${i}${n === 0 ? '' : `.${n}`}`;
        const { created, name } = { created: route.metadata.creationTimestamp ?? '', name: keyOf(route) };
        const rank = `${hostRank} ${matchRank(match)} ${created} ${name} ${pad(index)} ${pad(i)}`;
        const config = configOf(servers, (place) => translate(match, place, reasons));
        fragments.set(key, { object: objectOf(route, rule, index), rank, config });
      }
    unsupported.push(...[...reasons].map((reason) => `rule ${index}: ${reason}`));
  }
  const [problem] = problems;
  return {
    fragments,
    parents: parents.map(({ reference, accepted }) => ({
      reference,
      findings: [accepted, problem ?? holds('ResolvedRefs')],
    })),
    attachedTo: new Set([...attached.keys()].map(({ gateway, name }) => `${gateway}/${name}`)),
    dependsOn,
    unsupported,
  };
}

/** Hostnames of one rank on a listener. */
interface Place {
  readonly listener: Listener;
  readonly hostnames: readonly string[];
}

/** Groups listeners and hostnames by their common rank. Requests select the listener first. */
function placesOf(attached: readonly Attached[]): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  for (const { listener, hostnames } of attached) {
    if (!listener.isServed) continue;
    const byRank = Map.groupBy(hostnames, hostnameRank);
    for (const [rank, group] of byRank) {
      const key = `${hostnameRank(listener.hostname)} ${rank}`;
      const list = places.get(key);
      if (list === undefined) places.set(key, [{ listener, hostnames: group }]);
      else list.push({ listener, hostnames: group });
    }
  }
  return places;
}

function configOf(places: readonly Place[], routeFor: (place: Place) => Json): JsonObject {
  const servers: Record<string, JsonObject> = {};
  for (const place of places) {
    const name = serverName(place.listener);
    const known = servers[name];
    const routes = (known?.['routes'] ?? []) as readonly Json[];
    servers[name] = { ...serverOptions(place.listener), routes: [...routes, routeFor(place)] };
  }
  return { apps: { http: { servers } } };
}

function ruleTranslator(
  rule: RouteRule,
  scope: Scope,
  problems: Finding[],
): (match: RouteMatch, place: Place, reasons: Set<string>) => Json {
  let backends: readonly JsonObject[] = [];
  let unsupported: string | null = null;
  const isRedirect = (rule.filters ?? []).some(({ type }) => type === 'RequestRedirect');
  try {
    const found = isRedirect ? { handlers: [], problems: [] } : backendsOf(rule, scope);
    backends = found.handlers;
    problems.push(...found.problems);
  } catch (error) {
    unsupported = reasonOf(error);
  }
  return (match, { listener, hostnames }, reasons) => {
    const matchers = combined(hostMatchers(hostnames), matchersOf(match));
    let handle: readonly JsonObject[] = [{ handler: 'static_response', status_code: 500 }];
    try {
      if (unsupported !== null) throw new UnsupportedError(unsupported);
      const filters = handlersOf(rule.filters ?? [], {
        prefix: prefixOf(match),
        scheme: listener.scheme,
        port: listener.port,
      });
      handle = [...filters, ...backends];
    } catch (error) {
      reasons.add(reasonOf(error));
    }
    return { ...(Object.keys(matchers).length === 0 ? {} : { match: [matchers] }), handle, terminal: true };
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof UnsupportedError) return error.message;
  throw error;
}

function objectOf(route: HttpRoute, { name }: RouteRule, index: number): string {
  return `HTTPRoute ${keyOf(route)}, rule ${name ?? index}`;
}

function pad(index: number): string {
  return String(index).padStart(4, '0');
}
