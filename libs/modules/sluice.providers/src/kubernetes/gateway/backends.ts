/** Backends of a rule as handlers: one proxy, or a selection among several. */
import { joinHostPort, type Json, type JsonObject } from '@sluice/base';
import type { BackendReference, EndpointSlice, RouteRule, Service } from '../objects.ts';
import { targets, type Scope } from './cluster-view.ts';
import { fails, type Finding } from './conditions.ts';
import { backendHeaders, UnsupportedError } from './filters.ts';
import { isPermitted } from './grants.ts';
import { milliseconds } from './durations.ts';
import { shareMatcher } from './share.ts';

interface Backend {
  readonly weight: number;
  /** Addresses of ready endpoints; `null` if the reference is invalid. */
  readonly dials: readonly string[] | null;
  /** Proxy options. Backends with equal options share a proxy. */
  readonly options: JsonObject;
}

export interface RuleBackends {
  readonly handlers: readonly JsonObject[];
  /** Problems of references. */
  readonly problems: readonly Finding[];
}

export function backendsOf(rule: RouteRule, scope: Scope): RuleBackends {
  const problems: Finding[] = [];
  const backends = (rule.backendRefs ?? []).map((reference) => {
    const found = resolveBackend(reference, scope);
    if ('type' in found) problems.push(found);
    const dials = 'type' in found ? null : found.dials;
    const transport = 'type' in found ? {} : transportOf(rule, found.protocol);
    const headers = backendHeaders(reference.filters ?? []);
    return {
      weight: reference.weight ?? 1,
      dials,
      options: { ...transport, ...(Object.keys(headers).length === 0 ? {} : { headers }) },
    };
  });
  return { handlers: handlersFor(backends.filter(({ weight }) => weight > 0)), problems };
}

interface Resolved {
  readonly dials: readonly string[];
  readonly protocol: string;
}

function resolveBackend(
  reference: BackendReference,
  { namespace: routeNamespace, view, dependsOn }: Scope,
): Resolved | Finding {
  const { group = '', kind = 'Service', name, namespace = routeNamespace, port } = reference;
  if (group !== '' || kind !== 'Service')
    return fails('ResolvedRefs', 'InvalidKind', `backend ${name} has the unsupported kind ${kind}`);
  const key = `${namespace}/${name}`;
  dependsOn.add(targets.service(key));
  if (namespace !== routeNamespace) {
    dependsOn.add(targets.grants(namespace));
    const from = { kind: 'HTTPRoute', namespace: routeNamespace } as const;
    if (!isPermitted(from, { kind: 'Service', namespace, name }, view.grantsIn(namespace)))
      return fails('ResolvedRefs', 'RefNotPermitted', `no ReferenceGrant permits the reference to Service ${key}`);
  }
  const service = view.service(key);
  if (service === undefined) return fails('ResolvedRefs', 'BackendNotFound', `Service ${key} doesn't exist`);
  const servicePort = service.spec.ports?.find((each) => each.port === port);
  if (servicePort === undefined)
    return fails('ResolvedRefs', 'BackendNotFound', `Service ${key} has no port ${port ?? '(none given)'}`);
  if (service.spec.type === 'ExternalName')
    return fails('ResolvedRefs', 'BackendNotFound', `Service ${key} has type ExternalName, which is not supported`);
  return { dials: endpointsOf(servicePort, view.slicesOf(key)), protocol: servicePort.appProtocol ?? '' };
}

type ServicePort = NonNullable<Service['spec']['ports']>[number];

function endpointsOf({ name = '' }: ServicePort, slices: Iterable<EndpointSlice>): readonly string[] {
  const found = new Set<string>();
  for (const { ports, endpoints } of slices) {
    const number = ports?.find((each) => (each.name ?? '') === name)?.port;
    if (number === undefined) continue;
    for (const { addresses, conditions } of endpoints ?? []) {
      if (conditions?.ready === false) continue;
      for (const address of addresses) found.add(joinHostPort(address, number));
    }
  }
  // Slices come in any order. Equal sets of endpoints must result in equal configuration.
  return [...found].sort();
}

function transportOf({ timeouts }: RouteRule, protocol: string): JsonObject {
  const timeout = Math.min(
    ...[timeouts?.request, timeouts?.backendRequest].map(milliseconds).filter((each) => each > 0),
  );
  const options: Record<string, Json> = {};
  if (Number.isFinite(timeout)) options['response_header_timeout'] = `${timeout}ms`;
  if (protocol === 'kubernetes.io/h2c') options['versions'] = ['h2c'];
  else if (protocol === 'kubernetes.io/wss' || protocol === 'https')
    throw new UnsupportedError(`appProtocol ${protocol} requires a BackendTLSPolicy, which is not supported`);
  return Object.keys(options).length === 0 ? {} : { transport: { protocol: 'http', ...options } };
}

/** The status of requests without a valid backend is 500; of those without ready endpoints, 503. */
function handlersFor(backends: readonly Backend[]): readonly JsonObject[] {
  if (backends.length === 0) return [responding(500)];
  const groups = new Map<string, { weight: number; readonly members: Backend[] }>();
  for (const backend of backends) {
    const kind =
      backend.dials === null ? 'invalid' : backend.dials.length === 0 ? 'empty' : JSON.stringify(backend.options);
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, { weight: backend.weight, members: [backend] });
    else {
      group.weight += backend.weight;
      group.members.push(backend);
    }
  }
  const choices = [...groups.values()];
  const [only] = choices;
  if (choices.length === 1 && only !== undefined) return [handlerFor(only.members)];
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  let sum = 0;
  const routes = choices.map(({ weight, members }, i) => {
    sum += weight;
    return {
      ...(i === choices.length - 1 ? {} : { match: [shareMatcher(sum / total)] }),
      handle: [handlerFor(members)],
      terminal: true,
    };
  });
  return [{ handler: 'subroute', routes }];
}

function handlerFor(members: readonly Backend[]): JsonObject {
  const [{ dials, options } = { dials: null, options: {} }] = members;
  if (dials === null) return responding(500);
  if (dials.length === 0) return responding(503);
  const upstreams = members.flatMap((member) => (member.dials ?? []).map((dial) => ({ dial })));
  const weights = endpointWeights(members);
  const isWeighted = members.length > 1 && new Set(weights).size > 1;
  return {
    handler: 'reverse_proxy',
    ...options,
    ...(upstreams.length < 2
      ? {}
      : {
          load_balancing: {
            retries: 2,
            ...(isWeighted ? { selection_policy: { policy: 'weighted_round_robin', weights } } : {}),
          },
        }),
    upstreams,
  };
}

/** Divides the weight of each backend among its endpoints, as the smallest possible integers. */
export function endpointWeights(
  members: readonly { readonly weight: number; readonly dials: readonly string[] | null }[],
): readonly number[] {
  const counts = members.map(({ dials }) => dials?.length ?? 0);
  const multiple = counts.reduce((found, count) => (count === 0 ? found : (found / divisor(found, count)) * count), 1);
  const scale = Math.min(multiple, 1_000_000);
  const shares = members.map(({ weight }, i) =>
    Math.max(1, Math.round((weight * scale) / Math.max(1, counts[i] ?? 1))),
  );
  const common = shares.reduce(divisor, 0);
  return members.flatMap((_member, i) => Array.from({ length: counts[i] ?? 0 }, () => (shares[i] ?? 1) / common));
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other);
}

function responding(status: number): JsonObject {
  return { handler: 'static_response', status_code: status };
}
