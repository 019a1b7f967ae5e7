/** Kinds of Kubernetes objects that the provider translates. */
export const gatewayApi = '/apis/gateway.networking.k8s.io/v1';

export interface RouteKindInfo {
  readonly kind: 'HTTPRoute' | 'GRPCRoute' | 'TLSRoute' | 'TCPRoute' | 'UDPRoute';
  readonly plural: string;
  /** Prefix of the kind's route IDs and fragment keys. */
  readonly prefix: string;
}

export const httpRouteKind: RouteKindInfo = { kind: 'HTTPRoute', plural: 'httproutes', prefix: 'httproute' };
const grpcRouteKind: RouteKindInfo = { kind: 'GRPCRoute', plural: 'grpcroutes', prefix: 'grpcroute' };
export const routeKinds: readonly RouteKindInfo[] = [
  httpRouteKind,
  grpcRouteKind,
  { kind: 'TLSRoute', plural: 'tlsroutes', prefix: 'tlsroute' },
  { kind: 'TCPRoute', plural: 'tcproutes', prefix: 'tcproute' },
  { kind: 'UDPRoute', plural: 'udproutes', prefix: 'udproute' },
];

/** Route kinds that a listener supports, keyed by the listener's protocol. */
export const kindsByProtocol: ReadonlyMap<string, readonly RouteKindInfo['kind'][]> = new Map([
  ['HTTP', ['HTTPRoute', 'GRPCRoute']],
  ['HTTPS', ['HTTPRoute', 'GRPCRoute']],
  ['TLS', ['TLSRoute']],
  ['TCP', ['TCPRoute']],
  ['UDP', ['UDPRoute']],
] as const);

/** Reports whether the `layer4` app serves listeners of a protocol. */
export function isStream(protocol: string): boolean {
  return protocol === 'TLS' || protocol === 'TCP' || protocol === 'UDP';
}

export function isStreamKind({ kind }: RouteKindInfo): boolean {
  return kind === 'TLSRoute' || kind === 'TCPRoute' || kind === 'UDPRoute';
}

export function routeId({ prefix }: RouteKindInfo, key: string): string {
  return `${prefix}/${key}`;
}

/** Returns the kind of a route, or `null` if the ID does not belong to a route. */
export function routeKindOf(id: string): RouteKindInfo | null {
  return routeKinds.find(({ prefix }) => id.startsWith(`${prefix}/`)) ?? null;
}

export function keyIn(id: string): string {
  return id.slice(id.indexOf('/') + 1);
}

export function statusPath(plural: string, key: string): string {
  const [namespace = '', name = ''] = key.split('/');
  return `${gatewayApi}/namespaces/${namespace}/${plural}/${name}/status`;
}
