import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { routeKinds } from '../../src/kubernetes/kinds.ts';
import type { FakeObject } from './fake-api-server.ts';
import { backend, gateway, route, service, slice, tlsSecret } from './objects.ts';
import { translate, type TestObjects, type Translated } from './translate.ts';

const listener = (name: string, protocol: string, options: object = {}): object => ({
  name,
  port: 9000,
  protocol,
  ...options,
});

const translated = (kind: string, listeners: readonly object[], objects: Partial<TestObjects> = {}): Translated =>
  translate({
    gateways: [gateway('gateway', listeners)],
    routes: [route('r', [{ backendRefs: [backend('one')] }])],
    services: [service('one'), service('two')],
    slices: [slice('one', ['10.0.0.1']), slice('two', ['10.0.0.2', '10.0.0.3'])],
    secrets: [tlsSecret('cert')],
    kind: routeKinds.find((each) => each.kind === kind) as (typeof routeKinds)[number],
    ...objects,
  });

/** Returns the servers of the `layer4` app in a provider's fragment. */
function serversOf({ fragments }: Translated, key: string): Json {
  const apps = fragments.get(key)?.config['apps'] as { layer4?: { servers: Json } } | undefined;
  return apps?.layer4?.servers ?? null;
}

const routed = (rules: readonly object[], spec: object = {}): readonly FakeObject[] => [route('r', rules, spec)];
const udpService = (name: string): FakeObject => ({
  metadata: { name, namespace: 'web' },
  spec: { ports: [{ name: 'http', port: 80, protocol: 'UDP' }] },
});

describe('Kubernetes stream routes', () => {
  it('a TCPRoute forwards the connections of its listener', () => {
    expect(serversOf(translated('TCPRoute', [listener('tcp', 'TCP')]), 'tcproute/web/r/0')).to.deep.equal({
      'gateway_:9000': {
        listen: [':9000'],
        routes: [{ handle: [{ handler: 'proxy', upstreams: [{ dial: ['10.0.0.1:8080'] }] }] }],
      },
    });
  });

  it('a UDPRoute forwards packets only to UDP ports of Services', () => {
    const found = translated('UDPRoute', [listener('udp', 'UDP')], { services: [udpService('one')] });
    const text = JSON.stringify(serversOf(found, 'udproute/web/r/0'));
    expect(text).to.include('"listen":["udp/:9000"]').and.include('"dial":["udp/10.0.0.1:');
    const refused = translated('UDPRoute', [listener('udp', 'UDP')]);
    expect(JSON.stringify(serversOf(refused, 'udproute/web/r/0'))).to.include('"handler":"close"');
    expect(refused.routes.get('r')?.parents[0]?.findings[1]?.reason).to.equal('BackendNotFound');
  });

  it('weights of stream backends are divided among their endpoints, and a backend with weight 0 receives no connections', () => {
    const backendRefs = [backend('one', { weight: 3 }), backend('two', { weight: 1 }), backend('one', { weight: 0 })];
    const found = translated('TCPRoute', [listener('tcp', 'TCP')], { routes: routed([{ backendRefs }]) });
    const text = JSON.stringify(serversOf(found, 'tcproute/web/r/0'));
    expect([...text.matchAll(/"weight":(\d+)/g)].map(([, weight]) => weight)).to.deep.equal(['6', '1', '1']);
    expect(text).to.include('"policy":"weighted_round_robin"');
  });

  it('a TLSRoute forwards encrypted connections by server name', () => {
    const tls = { hostname: '*.a.test', tls: { mode: 'Passthrough' } };
    const found = translated('TLSRoute', [listener('tls', 'TLS', tls)], {
      routes: routed([{ backendRefs: [backend('one')] }], { hostnames: ['b.a.test', 'c.test'] }),
    });
    const text = JSON.stringify(serversOf(found, 'tlsroute/web/r/0'));
    expect(text).to.include('"match":[{"tls":{"sni":["b.a.test"]}}]').and.not.include('"handler":"tls"');
    expect(JSON.stringify(serversOf(found, 'gateway/web/gateway/tls'))).to.include('"handler":"close"');
  });

  it('a TLSRoute that is attached to a TLS-terminating listener forwards decrypted connections', () => {
    const tls = { tls: { mode: 'Terminate', certificateRefs: [{ name: 'cert' }] } };
    const found = translated('TLSRoute', [listener('tls', 'TLS', tls)]);
    expect(JSON.stringify(serversOf(found, 'tlsroute/web/r/0'))).to.match(
      /"match":\[\{"tls":\{\}\}\],"handle":\[\{"handler":"tls","connection_policies":\[.*\]\},\{"handler":"proxy"/,
    );
    const { config } = found.fragments.get('gateway/web/gateway/tls') ?? {};
    expect(JSON.stringify(config)).to.include('"load_pem":[{"certificate"');
  });

  for (const [protocol, kind] of [
    ['HTTP', 'TCPRoute'],
    ['TCP', 'HTTPRoute'],
    ['TLS', 'TCPRoute'],
  ] as const)
    it(`a Gateway listener with protocol ${protocol} does not allow a ${kind}`, () => {
      const options = protocol === 'TLS' ? { tls: { mode: 'Passthrough' } } : {};
      const { routes } = translated(kind, [listener('l', protocol, options)]);
      expect(routes.get('r')?.parents[0]?.findings[0]?.reason).to.equal('NotAllowedByListeners');
    });

  it('TCP and UDP listeners can share a port, but two TCP listeners conflict', () => {
    const { listeners } = translated('TCPRoute', [listener('a', 'TCP'), listener('b', 'UDP')]);
    expect(listeners.get('web/gateway')?.map(({ isServed }) => isServed)).to.deep.equal([true, true]);
    const conflicting = translated('TCPRoute', [listener('a', 'TCP'), listener('b', 'TCP')]);
    expect(conflicting.listeners.get('web/gateway')?.map(({ isServed }) => isServed)).to.deep.equal([false, false]);
  });
});
