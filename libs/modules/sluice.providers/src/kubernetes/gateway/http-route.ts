/** Translates an HTTPRoute or GRPCRoute to configuration fragments and to its status for each Gateway. */
import type { Json, JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { ageOf, keyOf, type HttpRoute, type ParentReference, type RouteMatch, type RouteRule } from '../objects.ts';
import { httpRouteKind, isStreamKind, routeId } from '../kinds.ts';
import { attach, parentOf } from './attachment.ts';
import { backendsOf, type RouteScope } from './backends.ts';
import { targets, type ClusterView } from './cluster-view.ts';
import { holds, type Finding } from './conditions.ts';
import { handlersOf, UnsupportedError } from './filters.ts';
import { hostMatchers } from './hostnames.ts';
import type { Listener } from './listener.ts';
import { serverName, serverOptions } from './listener-fragments.ts';
import { combined, matchersOf, matchRank, prefixOf } from './matches.ts';
import { placesOf, type Place } from './places.ts';
import { translateStreamRoute } from './stream-route.ts';

export interface TranslatedParent {
  readonly reference: ParentReference;
  readonly findings: readonly Finding[];
}

export interface TranslatedRoute {
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly parents: readonly TranslatedParent[];
  /** Keys of the listeners that serve the route. Each key consists of the parent's key, a slash, and the listener name. */
  readonly attachedTo: ReadonlySet<string>;
  /** Targets on which the translated route depends. */
  readonly dependsOn: ReadonlySet<string>;
  /** Reasons why some rules of the route are not served. */
  readonly unsupported: readonly string[];
}

/** The parts of a {@link TranslatedRoute} that are kept for status updates and later translations. */
export interface RouteRecord extends Pick<TranslatedRoute, 'parents' | 'unsupported'> {
  readonly fragmentKeys: readonly string[];
}

/**
 * Translates a route. Each match of each rule becomes a fragment. The fragment's rank determines its position among the matches of all
 * routes, so a change of one route does not affect others.
 */
export function translateRoute(route: HttpRoute, view: ClusterView, kind = httpRouteKind): TranslatedRoute {
  const dependsOn = new Set<string>();
  const namespace = route.metadata.namespace ?? '';
  dependsOn.add(targets.namespace(namespace));
  const parents: { reference: ParentReference; accepted: Finding }[] = [];
  const attached = new Map<Listener, Set<string>>();
  for (const reference of route.spec.parentRefs ?? []) {
    const parent = parentOf(reference, namespace);
    if (parent === null) continue;
    dependsOn.add(targets.gateway(parent));
    const listeners = view.listenersOf(parent);
    if (listeners === undefined) continue;
    const attachment = attach({ route, kind: kind.kind }, reference, listeners, view);
    parents.push({ reference, accepted: attachment.accepted });
    for (const { listener, hostnames } of attachment.attached)
      attached.set(listener, new Set([...(attached.get(listener) ?? []), ...hostnames]));
  }
  if (parents.length === 0)
    return { fragments: new Map(), parents: [], attachedTo: new Set(), dependsOn, unsupported: [] };
  const places = placesOf([...attached].map(([listener, hostnames]) => ({ listener, hostnames: [...hostnames] })));
  const scope: RouteScope = { kind: kind.kind, namespace, view, dependsOn };
  const problems: Finding[] = [];
  const unsupported: string[] = [];
  const fragments = new Map<string, Fragment>();
  if (isStreamKind(kind)) {
    const translated = translateStreamRoute(route, kind, [...places.values()].flat(), scope);
    for (const [key, fragment] of translated.fragments) fragments.set(key, fragment);
    problems.push(...translated.problems);
  } else translateRules();
  const [problem] = problems;
  return {
    fragments,
    parents: parents.map(({ reference, accepted }) => ({
      reference,
      findings: [accepted, problem ?? holds('ResolvedRefs')],
    })),
    attachedTo: new Set([...attached.keys()].map(({ parent, name }) => `${parent}/${name}`)),
    dependsOn,
    unsupported,
  };

  function translateRules(): void {
    for (const [index, rule] of (route.spec.rules ?? []).entries()) {
      const translate = ruleTranslator(rule, scope);
      problems.push(...problemsOf(rule, scope));
      const reasons = new Set<string>();
      for (const [i, match] of (rule.matches ?? [{}]).entries())
        for (const [n, [hostRank, servers]] of [...places].entries()) {
          const key = `${routeId(kind, keyOf(route))}/${index}.${i}${n === 0 ? '' : `.${n}`}`;
          const rank = `${hostRank} ${matchRank(match)} ${ageOf(route)} ${pad(index)} ${pad(i)}`;
          const config = configOf(servers, (place) => translate(match, place, reasons));
          fragments.set(key, { object: `${kind.kind} ${keyOf(route)}, rule ${rule.name ?? index}`, rank, config });
        }
      unsupported.push(...[...reasons].map((reason) => `rule ${index}: ${reason}`));
    }
  }
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
  scope: RouteScope,
): (match: RouteMatch, place: Place, reasons: Set<string>) => Json {
  const isRedirect = (rule.filters ?? []).some(({ type }) => type === 'RequestRedirect');
  const byGateway = new Map<string, readonly JsonObject[] | UnsupportedError>();
  /** Convert the backends separately for each Gateway, because Gateways may present different certificates to backends. */
  const backendsFor = ({ gateway, backendCertificate }: Listener): readonly JsonObject[] => {
    let known = byGateway.get(gateway);
    if (known === undefined) {
      try {
        known = backendsOf(rule, scope, backendCertificate).handlers;
      } catch (error) {
        known = unsupportedOf(error);
      }
      byGateway.set(gateway, known);
    }
    if (known instanceof UnsupportedError) throw known;
    return known;
  };
  return (match, { listener, hostnames }, reasons) => {
    const matchers = combined(hostMatchers(hostnames), matchersOf(match));
    let handle: readonly JsonObject[] = [{ handler: 'static_response', status_code: 500 }];
    try {
      const backends = isRedirect ? [] : backendsFor(listener);
      const filters = handlersOf(rule.filters ?? [], {
        prefix: prefixOf(match),
        scheme: listener.scheme,
        port: listener.port,
      });
      handle = [...filters, ...backends];
    } catch (error) {
      reasons.add(unsupportedOf(error).message);
    }
    return { ...(Object.keys(matchers).length === 0 ? {} : { match: [matchers] }), handle, terminal: true };
  };
}

/** Returns the problems with a rule's references. These problems don't depend on the listener. */
function problemsOf(rule: RouteRule, scope: RouteScope): readonly Finding[] {
  if ((rule.filters ?? []).some(({ type }) => type === 'RequestRedirect')) return [];
  try {
    return backendsOf(rule, scope).problems;
  } catch (error) {
    unsupportedOf(error);
    return [];
  }
}

function unsupportedOf(error: unknown): UnsupportedError {
  if (error instanceof UnsupportedError) return error;
  throw error;
}

function pad(index: number): string {
  return String(index).padStart(4, '0');
}
