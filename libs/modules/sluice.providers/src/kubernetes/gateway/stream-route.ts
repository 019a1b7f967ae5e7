/** Translates TLSRoutes, TCPRoutes and UDPRoutes to `layer4` app routes. */
import type { JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { ageOf, keyOf, type HttpRoute, type RouteRule } from '../objects.ts';
import { routeId, type RouteKindInfo } from '../kinds.ts';
import { endpointWeights, resolveBackend, type RouteScope } from './backends.ts';
import type { Finding } from './conditions.ts';
import { hostnameRank } from './hostnames.ts';
import type { Place } from './places.ts';
import { streamConfig, streamMatcher, terminationOf } from './stream-listener.ts';

/** Maximum time for trying other endpoints after a failed connection. */
const tryDuration = '3s';

export interface StreamTranslation {
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly problems: readonly Finding[];
}

/**
 * Translates a TLSRoute, TCPRoute or UDPRoute. The first rule of the oldest route receives all connections of a listener, because there is
 * no other criterion.
 */
export function translateStreamRoute(
  route: HttpRoute,
  kind: RouteKindInfo,
  places: readonly Place[],
  scope: RouteScope,
): StreamTranslation {
  const problems: Finding[] = [];
  const fragments = new Map<string, Fragment>();
  for (const [index, rule] of (route.spec.rules ?? []).entries()) {
    const handler = handlerFor(rule, scope, problems);
    for (const [n, { listener, hostnames }] of places.entries()) {
      const matcher = streamMatcher(listener, hostnames);
      const created = `${ageOf(route)} ${index}`;
      const rank = `${hostnameRank(listener.hostname)} ${hostnameRank(hostnames[0] ?? '')} ${created}`;
      const served = {
        ...(Object.keys(matcher).length === 0 ? {} : { match: [matcher] }),
        handle: [...terminationOf(listener), handler],
      };
      fragments.set(`${routeId(kind, keyOf(route))}/${index}${n === 0 ? '' : `.${n}`}`, {
        object: `${kind.kind} ${keyOf(route)}, rule ${rule.name ?? index}`,
        rank,
        config: streamConfig(listener, [served]),
      });
    }
  }
  return { fragments, problems };
}

function handlerFor(rule: RouteRule, scope: RouteScope, problems: Finding[]): JsonObject {
  const members: { weight: number; dials: readonly string[] }[] = [];
  for (const reference of rule.backendRefs ?? []) {
    const found = resolveBackend(reference, scope);
    if ('type' in found) problems.push(found);
    else if ((reference.weight ?? 1) > 0 && found.dials !== null && found.dials.length > 0)
      members.push({ weight: reference.weight ?? 1, dials: found.dials });
  }
  if (members.length === 0) return { handler: 'close' };
  const prefix = scope.kind === 'UDPRoute' ? 'udp/' : '';
  const weights = endpointWeights(members);
  const isWeighted = new Set(weights).size > 1;
  const upstreams = members
    .flatMap(({ dials }) => dials)
    .map((dial, i) => ({ dial: [`${prefix}${dial}`], ...(isWeighted ? { weight: weights[i] ?? 1 } : {}) }));
  if (upstreams.length === 1) return { handler: 'proxy', upstreams };
  const selection = isWeighted ? { selection: { policy: 'weighted_round_robin' } } : {};
  return { handler: 'proxy', upstreams, load_balancing: { ...selection, try_duration: tryDuration } };
}
