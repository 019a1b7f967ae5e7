/** Kubernetes objects of the benchmark: one Gateway, and any number of HTTPRoutes. Each HTTPRoute has a Service and an EndpointSlice. */
import type { ClusterObject } from './cluster.ts';

export const namespace = 'bench';

const gatewayApi = '/apis/gateway.networking.k8s.io/v1';
export const collections = {
  namespaces: '/api/v1/namespaces',
  services: '/api/v1/services',
  slices: '/apis/discovery.k8s.io/v1/endpointslices',
  classes: `${gatewayApi}/gatewayclasses`,
  gateways: `${gatewayApi}/gateways`,
  routes: `${gatewayApi}/httproutes`,
} as const;

export const hostOf = (n: number): string => `r-${n}.example.com`;
export const routeName = (n: number): string => `r-${n}`;
export const serviceName = (n: number): string => `s-${n}`;

const gatewayVersion = 'gateway.networking.k8s.io/v1';

export function gatewayClass(controllerName: string): ClusterObject {
  return { apiVersion: gatewayVersion, kind: 'GatewayClass', metadata: { name: 'bench' }, spec: { controllerName } };
}

export function gateway(port: number): ClusterObject {
  const listeners = [{ name: 'http', port, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'All' } } }];
  return {
    apiVersion: gatewayVersion,
    kind: 'Gateway',
    metadata: { name: 'bench', namespace },
    spec: { gatewayClassName: 'bench', listeners },
  };
}

/** @param version Sets a response header, so that responses show which version of the route is active. */
export function route(n: number, version = 0): ClusterObject {
  const header = { set: [{ name: 'X-Version', value: String(version) }] };
  const filters = [{ type: 'ResponseHeaderModifier', responseHeaderModifier: header }];
  const backendRefs = [{ name: serviceName(n), port: 8080 }];
  return {
    apiVersion: gatewayVersion,
    kind: 'HTTPRoute',
    metadata: { name: routeName(n), namespace, labels: { app: `app-${n}` } },
    spec: {
      parentRefs: [{ name: 'bench' }],
      hostnames: [hostOf(n)],
      rules: [{ matches: [{ path: { type: 'PathPrefix', value: '/' } }], filters, backendRefs }],
    },
  };
}

export function service(n: number): ClusterObject {
  const ports = [{ name: 'http', port: 8080, protocol: 'TCP', targetPort: 8080 }];
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: serviceName(n), namespace }, spec: { ports } };
}

export function slice(n: number, address: string, port: number): ClusterObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    addressType: 'IPv4',
    metadata: { name: serviceName(n), namespace, labels: { 'kubernetes.io/service-name': serviceName(n) } },
    ports: [{ name: 'http', port, protocol: 'TCP' }],
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
  };
}
