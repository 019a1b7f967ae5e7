/** Kubernetes Gateway API objects used in the test sequences. */
import type { Kind } from './kind.ts';

const apiVersion = 'gateway.networking.k8s.io/v1';
const controllerName = 'sluice.dev/gateway-controller';

const all = { namespaces: { from: 'All' } };
const selected = { namespaces: { from: 'Selector', selector: { matchLabels: { team: 'web' } } } };
const http = (name: string, port: number, options: object = {}): object => ({
  name,
  port,
  protocol: 'HTTP',
  allowedRoutes: all,
  ...options,
});
const https = (name: string, certificate: object, options: object = {}): object =>
  http(name, 8443, { protocol: 'HTTPS', tls: { certificateRefs: [certificate] }, ...options });
const stream = (protocol: string, port: number, options: object = {}): object =>
  http(protocol.toLowerCase(), port, { protocol, ...options });
const gateway = (listeners: readonly object[], spec: object = {}): object => ({
  spec: { gatewayClassName: 'sluice', listeners, ...spec },
});

/** Returns a reference to a Gateway in one of two namespaces. The Gateway may not exist. */
const parent = (name: string, options: object = {}): object => ({ name, namespace: 'web', ...options });
const backend = (name: string, options: object = {}): object => ({ name, port: 80, ...options });
const path = (value: string, type = 'PathPrefix'): object => ({ path: { type, value } });
const route = (parentRefs: readonly object[], rules: readonly object[], spec: object = {}): object => ({
  spec: { parentRefs, rules, ...spec },
});

const gateways: readonly object[] = [
  gateway([http('http', 8000)]),
  gateway([http('http', 8000, { allowedRoutes: selected }), https('https', { name: 'cert' })], {
    allowedListeners: { namespaces: { from: 'All' } },
  }),
  gateway([http('http', 8000, { hostname: 'a.test' }), https('https', { name: 'cert', namespace: 'api' })]),
  gateway([
    https('https', { name: 'cert' }, { hostname: 'a.test' }),
    https('other', { name: 'users' }, { hostname: '*.b.test' }),
  ]),
  gateway([stream('TCP', 9000), stream('UDP', 9000), stream('TLS', 9443, { tls: { mode: 'Passthrough' } })]),
  gateway([http('http', 9000), http('again', 9000, { hostname: 'a.test' }), stream('TCP', 8000)]),
  gateway([http('http', 8000, { allowedRoutes: { kinds: [{ kind: 'TLSRoute' }] } }), http('more', 8001)]),
  gateway([http('http', 8000)], { gatewayClassName: 'other' }),
  gateway([http('http', 8000)], { addresses: [{ type: 'Hostname', value: 'gateway.test' }] }),
];

const listenerSets: readonly object[] = [
  { spec: { parentRef: { name: 'main', namespace: 'web' }, listeners: [http('set', 8002)] } },
  { spec: { parentRef: { name: 'main', namespace: 'web' }, listeners: [http('set', 8000), http('more', 8003)] } },
  { spec: { parentRef: { name: 'second', namespace: 'web' }, listeners: [http('set', 8002, { hostname: 'a.test' })] } },
];

const crossBackend = backend('one', { namespace: 'api' });
const httpRoutes: readonly object[] = [
  route([parent('main')], [{ matches: [path('/one')], backendRefs: [backend('one')] }]),
  route([parent('main', { sectionName: 'http' })], [{ backendRefs: [backend('two'), backend('one', { weight: 3 })] }]),
  route([parent('main'), parent('second')], [{ matches: [path('/x', 'Exact')], backendRefs: [crossBackend] }], {
    hostnames: ['a.test', 'x.b.test'],
  }),
  route(
    [parent('main', { sectionName: 'set', kind: 'ListenerSet', group: 'gateway.networking.k8s.io' })],
    [{ backendRefs: [backend('three')] }],
  ),
  route([parent('main', { port: 8000 })], [{ backendRefs: [backend('missing')] }, { matches: [path('/one')] }]),
  route([parent('main')], [{ matches: [path('/(', 'RegularExpression')], backendRefs: [backend('one')] }]),
  route(
    [parent('main')],
    [
      {
        matches: [path('/e')],
        filters: [{ type: 'ExtensionRef', extensionRef: { group: 'x.test', kind: 'X', name: 'x' } }],
      },
      { matches: [path('/one', 'Exact')], backendRefs: [backend('one', { port: 8080 })] },
    ],
  ),
  route([parent('second'), parent('missing')], [{ backendRefs: [backend('two')] }], { hostnames: ['*.b.test'] }),
  route(
    [parent('main')],
    [
      {
        filters: [
          { type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } },
          { type: 'ResponseHeaderModifier', responseHeaderModifier: { set: [{ name: 'X-A', value: '{env.HOME}' }] } },
        ],
      },
    ],
  ),
  route([parent('main')], [{ matches: [{ ...path('/one'), method: 'GET' }], backendRefs: [backend('two')] }]),
];

const streamRoutes: readonly object[] = [
  route([parent('main')], [{ backendRefs: [backend('one')] }]),
  route([parent('second')], [{ backendRefs: [crossBackend] }]),
  route([parent('main', { port: 9000 })], [{ backendRefs: [backend('missing')] }]),
];

const withHostnames = (each: object): object => {
  const { spec } = each as { readonly spec: object };
  return { spec: { ...spec, hostnames: ['a.test'] } };
};

export const gatewayKinds: readonly Kind[] = [
  {
    apiVersion,
    kind: 'GatewayClass',
    plural: 'gatewayclasses',
    names: ['sluice', 'other'],
    hasStatus: true,
    variants: [
      { spec: { controllerName } },
      { spec: { controllerName, parametersRef: { group: 'x.test', kind: 'X', name: 'x' } } },
      { spec: { controllerName: 'other.test/controller' } },
    ],
  },
  {
    apiVersion,
    kind: 'Gateway',
    plural: 'gateways',
    names: ['web/main', 'web/second'],
    hasStatus: true,
    variants: gateways,
  },
  {
    apiVersion,
    kind: 'ListenerSet',
    plural: 'listenersets',
    names: ['web/main', 'api/more'],
    hasStatus: true,
    variants: listenerSets,
  },
  {
    apiVersion,
    kind: 'HTTPRoute',
    plural: 'httproutes',
    names: ['web/one', 'web/two', 'web/three', 'api/one'],
    hasStatus: true,
    variants: httpRoutes,
  },
  {
    apiVersion,
    kind: 'GRPCRoute',
    plural: 'grpcroutes',
    names: ['web/grpc'],
    hasStatus: true,
    variants: [
      route([parent('main')], [{ matches: [{ method: { service: 'a.B' } }], backendRefs: [backend('one')] }]),
      route([parent('main')], [{ backendRefs: [crossBackend] }]),
    ],
  },
  {
    apiVersion,
    kind: 'TLSRoute',
    plural: 'tlsroutes',
    names: ['web/tls'],
    hasStatus: true,
    variants: streamRoutes.map(withHostnames),
  },
  {
    apiVersion,
    kind: 'TCPRoute',
    plural: 'tcproutes',
    names: ['web/tcp', 'api/tcp'],
    hasStatus: true,
    variants: streamRoutes,
  },
  {
    apiVersion,
    kind: 'UDPRoute',
    plural: 'udproutes',
    names: ['web/udp'],
    hasStatus: true,
    variants: [route([parent('main')], [{ backendRefs: [backend('one', { port: 53 })] }]), ...streamRoutes],
  },
  {
    apiVersion,
    kind: 'BackendTLSPolicy',
    plural: 'backendtlspolicies',
    names: ['web/one', 'api/one'],
    hasStatus: true,
    variants: ['ca', 'missing'].flatMap((name) =>
      ['one', 'two'].map((service) => ({
        spec: {
          targetRefs: [{ group: '', kind: 'Service', name: service }],
          validation: { caCertificateRefs: [{ group: '', kind: 'ConfigMap', name }], hostname: 'a.test' },
        },
      })),
    ),
  },
  {
    apiVersion: 'gateway.networking.k8s.io/v1beta1',
    kind: 'ReferenceGrant',
    plural: 'referencegrants',
    names: ['api/from-web', 'api/again'],
    hasStatus: false,
    variants: [
      grant(['HTTPRoute', 'GRPCRoute', 'TCPRoute'], 'Service'),
      grant(['Gateway', 'ListenerSet'], 'Secret'),
      grant(['HTTPRoute'], 'Service', 'two'),
    ],
  },
];

function grant(from: readonly string[], to: string, name?: string): object {
  return {
    spec: {
      from: from.map((kind) => ({ group: 'gateway.networking.k8s.io', kind, namespace: 'web' })),
      to: [{ group: '', kind: to, ...(name === undefined ? {} : { name }) }],
    },
  };
}
