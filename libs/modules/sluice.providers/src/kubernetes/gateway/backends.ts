/** Converts the backends of a route rule to handlers: one reverse proxy, or a weighted selection of several. */
import { joinHostPort, type Json, type JsonObject } from '@sluice/base';
import type { RouteKindInfo } from '../kinds.ts';
import type { EndpointSlice, RouteRule, Service } from '../objects.ts';
import type { BackendReference, RequestMirror } from '../route-filters.ts';
import { policyFor, resolvePolicy } from './backend-tls.ts';
import { targets, type Scope } from './cluster-view.ts';
import { fails, type Finding } from './conditions.ts';
import { backendHeaders, UnsupportedError } from './filters.ts';
import { isPermitted } from './grants.ts';
import { milliseconds } from './durations.ts';
import type { Listener } from './listener.ts';
import { retryOptions } from './retries.ts';
import { shareMatcher } from './share.ts';

interface Backend {
  readonly weight: number;
  /** Addresses of ready endpoints, or `null` if the backend reference is invalid. */
  readonly dials: readonly string[] | null;
  /** Options of the reverse proxy. Backends with equal options share a proxy. */
  readonly options: JsonObject;
}

export interface RouteScope extends Scope {
  readonly kind: RouteKindInfo['kind'];
}

export interface RuleBackends {
  readonly handlers: readonly JsonObject[];
  /** Invalid references. */
  readonly problems: readonly Finding[];
}

/** @param clientCertificate Certificate that the proxy presents to TLS backends. */
export function backendsOf(
  rule: RouteRule,
  scope: RouteScope,
  clientCertificate: Listener['backendCertificate'] = null,
): RuleBackends {
  const problems: Finding[] = [];
  const backends = (rule.backendRefs ?? []).map((reference) => {
    const found = resolveBackend(reference, scope);
    if ('type' in found) problems.push(found);
    const dials = 'type' in found ? null : found.dials;
    const transport = 'type' in found ? {} : transportOf(rule, found, clientCertificate);
    const modified = backendHeaders(reference.filters ?? []);
    const headers = 'type' in found || found.tls === null ? modified : withHost(modified);
    return {
      weight: reference.weight ?? 1,
      dials,
      options: { ...transport, ...(Object.keys(headers).length === 0 ? {} : { headers }) },
    };
  });
  const mirrors = (rule.filters ?? []).flatMap(({ requestMirror }) =>
    requestMirror === undefined ? [] : mirrorOf(requestMirror, { scope, clientCertificate }, problems),
  );
  const served = backends.filter(({ weight }) => weight > 0);
  return { handlers: [...mirrors, ...handlersFor(served, rule)], problems };
}

/** Returns the handler that mirrors requests. Returns no handler for an invalid reference, because the rest of the rule is still served. */
function mirrorOf(
  { backendRef, percent = 100, fraction }: RequestMirror,
  { scope, clientCertificate }: { scope: RouteScope; clientCertificate: Listener['backendCertificate'] },
  problems: Finding[],
): JsonObject[] {
  const found = resolveBackend(backendRef, scope);
  if ('type' in found) {
    problems.push(found);
    return [];
  }
  const share = fraction === undefined ? percent / 100 : fraction.numerator / (fraction.denominator ?? 100);
  const dials = found.dials ?? [];
  if (dials.length === 0 || share === 0) return [];
  const headers = found.tls === null ? {} : { headers: withHost({}) };
  return [
    {
      handler: 'mirror',
      ...(share >= 1 ? {} : { share }),
      ...transportOf({}, found, clientCertificate),
      ...headers,
      upstreams: dials.map((dial) => ({ dial })),
    },
  ];
}

/** Preserves the request's Host. By default, the proxy would replace it with the upstream address for TLS upstreams. */
function withHost(headers: JsonObject): JsonObject {
  const request = (headers['request'] ?? {}) as JsonObject;
  const set = (request['set'] ?? {}) as JsonObject;
  if (Object.keys(set).some((name) => name.toLowerCase() === 'host')) return headers;
  return { ...headers, request: { ...request, set: { ...set, Host: ['{http.request.hostport}'] } } };
}

export interface Resolved {
  /** Addresses of ready endpoints, or `null` if the Service has an invalid policy. */
  readonly dials: readonly string[] | null;
  readonly protocol: string;
  /** TLS options of the proxy transport, or `null` for plaintext connections. */
  readonly tls: JsonObject | null;
}

export function resolveBackend(
  reference: BackendReference,
  { kind: routeKind, namespace: routeNamespace, view, dependsOn }: RouteScope,
): Resolved | Finding {
  const { group = '', kind = 'Service', name, namespace = routeNamespace, port } = reference;
  if (group !== '' || kind !== 'Service')
    return fails('ResolvedRefs', 'InvalidKind', `backend ${name} has the unsupported kind ${kind}`);
  const key = `${namespace}/${name}`;
  dependsOn.add(targets.service(key));
  if (namespace !== routeNamespace) {
    dependsOn.add(targets.grants(namespace));
    const from = { kind: routeKind, namespace: routeNamespace };
    if (!isPermitted(from, { kind: 'Service', namespace, name }, view.grantsIn(namespace)))
      return fails('ResolvedRefs', 'RefNotPermitted', `no ReferenceGrant permits the reference to Service ${key}`);
  }
  const service = view.service(key);
  if (service === undefined) return fails('ResolvedRefs', 'BackendNotFound', `Service ${key} doesn't exist`);
  const transport = routeKind === 'UDPRoute' ? 'UDP' : 'TCP';
  const servicePort = service.spec.ports?.find((each) => each.port === port && (each.protocol ?? 'TCP') === transport);
  if (servicePort === undefined)
    return fails(
      'ResolvedRefs',
      'BackendNotFound',
      port === undefined ? `the reference to Service ${key} needs a port` : `Service ${key} has no port ${port}`,
    );
  if (service.spec.type === 'ExternalName')
    return fails('ResolvedRefs', 'BackendNotFound', `Service ${key} has type ExternalName, which is not supported`);
  const protocol = servicePort.appProtocol ?? (routeKind === 'GRPCRoute' ? 'kubernetes.io/h2c' : '');
  const policy = policyFor(key, servicePort.name ?? '', view);
  const tls = policy === undefined ? null : resolvePolicy(policy, view, dependsOn).tls;
  if (policy !== undefined && tls === null) return { dials: null, protocol, tls };
  return { dials: endpointsOf(servicePort, view.slicesOf(key)), protocol, tls };
}

type ServicePort = NonNullable<Service['spec']['ports']>[number];

export function endpointsOf({ name = '' }: ServicePort, slices: Iterable<EndpointSlice>): readonly string[] {
  const found = new Set<string>();
  for (const { ports, endpoints } of slices) {
    const number = ports?.find((each) => (each.name ?? '') === name)?.port;
    if (number === undefined) continue;
    for (const { addresses, conditions } of endpoints ?? []) {
      if (conditions?.ready === false) continue;
      for (const address of addresses) found.add(joinHostPort(address, number));
    }
  }
  // Sort the addresses. EndpointSlices arrive in any order, but equal sets of endpoints must produce equal configuration.
  return [...found].sort();
}

function transportOf(
  { timeouts }: RouteRule,
  { dials, protocol, tls }: Resolved,
  clientCertificate: Listener['backendCertificate'],
): JsonObject {
  if (dials === null) return {};
  const timeout = Math.min(
    ...[timeouts?.request, timeouts?.backendRequest].map(milliseconds).filter((each) => each > 0),
  );
  const options: Record<string, Json> = {};
  if (Number.isFinite(timeout)) options['response_header_timeout'] = `${timeout}ms`;
  if (tls !== null) {
    options['tls'] =
      clientCertificate === null
        ? tls
        : {
            ...tls,
            client_certificate_pem: clientCertificate.certificate,
            client_private_key_pem: clientCertificate.key,
          };
    if (protocol === 'kubernetes.io/h2c') options['versions'] = ['2'];
  } else if (protocol === 'kubernetes.io/h2c') options['versions'] = ['h2c'];
  else if (/^(?:kubernetes\.io\/wss|https)$/i.test(protocol))
    throw new UnsupportedError(`appProtocol ${protocol} requires a BackendTLSPolicy for the Service`);
  return Object.keys(options).length === 0 ? {} : { transport: { protocol: 'http', ...options } };
}

/** Returns the handlers of a rule. Requests get status 500 if no backend is valid, and 503 if no endpoint is ready. */
function handlersFor(backends: readonly Backend[], rule: RouteRule): readonly JsonObject[] {
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
  if (choices.length === 1 && only !== undefined) return [handlerFor(only.members, rule)];
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  let sum = 0;
  const routes = choices.map(({ weight, members }, i) => {
    sum += weight;
    return {
      ...(i === choices.length - 1 ? {} : { match: [shareMatcher(sum / total)] }),
      handle: [handlerFor(members, rule)],
      terminal: true,
    };
  });
  return [{ handler: 'subroute', routes }];
}

function handlerFor(members: readonly Backend[], rule: RouteRule): JsonObject {
  const [{ dials, options } = { dials: null, options: {} }] = members;
  if (dials === null) return responding(500);
  if (dials.length === 0) return responding(503);
  const upstreams = members.flatMap((member) => (member.dials ?? []).map((dial) => ({ dial })));
  const weights = endpointWeights(members);
  const isWeighted = members.length > 1 && new Set(weights).size > 1;
  const balancing: JsonObject = {
    ...retryOptions(rule, upstreams.length),
    ...(isWeighted ? { selection_policy: { policy: 'weighted_round_robin', weights } } : {}),
  };
  return {
    handler: 'reverse_proxy',
    ...options,
    ...(Object.keys(balancing).length === 0 ? {} : { load_balancing: balancing }),
    upstreams,
  };
}

/** Divides the weight of each backend among its endpoints. Returns the smallest possible integers. */
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
