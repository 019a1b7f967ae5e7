import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { inClusterAccess, kubeconfigAccess } from '../../src/kubernetes/api/access.ts';
import { assignAddresses } from '../../src/kubernetes/gateway/addresses.ts';
import { endpointWeights } from '../../src/kubernetes/gateway/backends.ts';
import { milliseconds } from '../../src/kubernetes/gateway/durations.ts';
import { shareMatcher } from '../../src/kubernetes/gateway/share.ts';
import type { Gateway } from '../../src/kubernetes/objects.ts';
import type { FakeObject } from './fake-api-server.ts';
import { backend, gateway, httpListener, pathMatch, route, service, slice, tlsSecret } from './objects.ts';
import { translate, type TestObjects } from './translate.ts';

/** Returns the handlers that the only rule of a route produces. */
function handlersOf(rule: object, objects: Partial<TestObjects> = {}): string {
  const { fragments } = translate({
    gateways: [gateway('gateway', [httpListener('http')])],
    routes: [route('r', [rule])],
    services: [service('one'), service('two'), service('empty'), service('far', 'other')],
    slices: [slice('one', ['10.0.0.1']), slice('two', ['10.0.0.2', 'fd00::2']), slice('far', ['10.0.0.9'], 'other')],
    ...objects,
  });
  const [, ...text] = JSON.stringify(fragments.get('httproute/web/r/0.0')?.config).split('"handle":');
  return text.join('"handle":').replace(/,"terminal":true\}\]\}\}\}\}\}$/, '');
}

/** Returns the reasons in the status conditions of a route. */
function reasonsOf(each: FakeObject, objects: Partial<TestObjects> = {}): readonly string[] {
  const { routes } = translate({
    gateways: [gateway('gateway', [httpListener('http')])],
    routes: [each],
    services: [service('one'), service('far', 'other')],
    ...objects,
  });
  return routes.get('r')?.parents.flatMap(({ findings }) => findings.map(({ reason }) => reason)) ?? [];
}

const grant = (from: string, to: object = { group: '', kind: 'Service' }): FakeObject => ({
  metadata: { name: 'grant', namespace: 'other' },
  spec: { from: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', namespace: from }], to: [to] },
});

describe('translation of HTTPRoutes', () => {
  it('an HTTPRoute backend becomes a proxy to the ready endpoints of its Service', () => {
    expect(handlersOf({ backendRefs: [backend('one')] })).to.equal(
      '[{"handler":"reverse_proxy","upstreams":[{"dial":"10.0.0.1:8080"}]}]',
    );
    expect(handlersOf({ backendRefs: [backend('two')] })).to.include(
      '"upstreams":[{"dial":"10.0.0.2:8080"},{"dial":"[fd00::2]:8080"}]',
    );
  });

  it('the weights of HTTPRoute backends are divided among their endpoints', () => {
    const text = handlersOf({ backendRefs: [backend('one', { weight: 3 }), backend('two')] });
    expect(text).to.include('"selection_policy":{"policy":"weighted_round_robin","weights":[6,1,1]}');
  });

  const mirror = (name: string, more: object = {}): object => ({
    type: 'RequestMirror',
    requestMirror: { backendRef: backend(name), ...more },
  });

  for (const [name, more, share] of [
    ['all requests', {}, ''],
    ['a percentage of requests', { percent: 20 }, '"share":0.2,'],
    ['a fraction of requests', { fraction: { numerator: 1, denominator: 8 } }, '"share":0.125,'],
    ['a fraction of requests with the default denominator', { fraction: { numerator: 50 } }, '"share":0.5,'],
  ] as const)
    it(`the handler that mirrors requests to ${name} comes before the proxy`, () => {
      const text = handlersOf({ filters: [mirror('two', more)], backendRefs: [backend('one')] });
      expect(text).to.equal(
        `[{"handler":"mirror",${share}"upstreams":[{"dial":"10.0.0.2:8080"},{"dial":"[fd00::2]:8080"}]},` +
          '{"handler":"reverse_proxy","upstreams":[{"dial":"10.0.0.1:8080"}]}]',
      );
    });

  it('HTTPRoute mirrors are omitted if their Service is missing or has no endpoints, or if their share is 0 %, and the rule is still served', () => {
    const filters = [mirror('empty'), mirror('two', { percent: 0 }), mirror('none')];
    const rule = { filters, backendRefs: [backend('one')] };
    expect(handlersOf(rule)).to.equal('[{"handler":"reverse_proxy","upstreams":[{"dial":"10.0.0.1:8080"}]}]');
    expect(reasonsOf(route('r', [rule]))).to.include('BackendNotFound');
  });

  it('HTTPRoute backends with a weight of 0 are omitted', () => {
    expect(handlersOf({ backendRefs: [backend('one', { weight: 0 }), backend('two')] })).not.to.include('10.0.0.1');
    expect(handlersOf({ backendRefs: [backend('one', { weight: 0 })] })).to.include('"status_code":500');
  });

  it('an invalid HTTPRoute backend receives its share of requests, which fail with 500', () => {
    const text = handlersOf({ backendRefs: [backend('missing'), backend('one')] });
    expect(text).to.match(/"handler":"subroute".*request\.uuid.*"status_code":500.*"dial":"10\.0\.0\.1:8080"/);
  });

  it('requests to a Service without ready endpoints fail with 503', () => {
    expect(handlersOf({ backendRefs: [backend('empty')] })).to.include('"status_code":503');
  });

  it('the timeouts of an HTTPRoute and the appProtocol of a Service become options of the proxy transport', () => {
    const h2c = { ...service('one'), spec: { ports: [{ name: 'http', port: 80, appProtocol: 'kubernetes.io/h2c' }] } };
    const text = handlersOf(
      { backendRefs: [backend('one')], timeouts: { request: '2s', backendRequest: '500ms' } },
      { services: [h2c] },
    );
    expect(text).to.include('"transport":{"protocol":"http","response_header_timeout":"500ms","versions":["h2c"]}');
  });

  const references: [title: string, reference: object, objects: Partial<TestObjects>, reason: string][] = [
    ['a Service in the same namespace', backend('one'), {}, 'ResolvedRefs'],
    ['a missing Service', backend('none'), {}, 'BackendNotFound'],
    ['a missing port', { name: 'one', port: 81 }, {}, 'BackendNotFound'],
    ['another kind', backend('one', { kind: 'Unknown', group: 'x.test' }), {}, 'InvalidKind'],
    ['another namespace without a grant', backend('far', { namespace: 'other' }), {}, 'RefNotPermitted'],
    [
      'another namespace with a grant',
      backend('far', { namespace: 'other' }),
      { grants: [grant('web')] },
      'ResolvedRefs',
    ],
    [
      'a grant for another namespace',
      backend('far', { namespace: 'other' }),
      { grants: [grant('x')] },
      'RefNotPermitted',
    ],
    [
      'a grant for another Service',
      backend('far', { namespace: 'other' }),
      { grants: [grant('web', { group: '', kind: 'Service', name: 'x' })] },
      'RefNotPermitted',
    ],
  ];
  for (const [title, reference, objects, reason] of references)
    it(`a reference to ${title} has the condition reason ${reason}`, () => {
      expect(reasonsOf(route('r', [{ backendRefs: [reference] }]), objects)).to.deep.equal(['Accepted', reason]);
    });

  const parents: [title: string, spec: object, listener: object, reason: string][] = [
    ['all listeners', {}, {}, 'Accepted'],
    ['an unknown section', { parentRefs: [{ name: 'gateway', sectionName: 'x' }] }, {}, 'NoMatchingParent'],
    ['an unknown port', { parentRefs: [{ name: 'gateway', port: 81 }] }, {}, 'NoMatchingParent'],
    ['another hostname', { hostnames: ['b.test'] }, { hostname: 'a.test' }, 'NoMatchingListenerHostname'],
    ['a hostname below a wildcard', { hostnames: ['a.b.test'] }, { hostname: '*.b.test' }, 'Accepted'],
    ['a wildcard above the hostname', { hostnames: ['*.b.test'] }, { hostname: 'a.b.test' }, 'Accepted'],
    ['another namespace', {}, { allowedRoutes: { namespaces: { from: 'None' } } }, 'NotAllowedByListeners'],
    [
      'a selected namespace',
      {},
      { allowedRoutes: { namespaces: { from: 'Selector', selector: { matchLabels: { team: 'web' } } } } },
      'Accepted',
    ],
    [
      'a namespace that is not selected',
      {},
      {
        allowedRoutes: {
          namespaces: {
            from: 'Selector',
            selector: { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['web'] }] },
          },
        },
      },
      'NotAllowedByListeners',
    ],
  ];
  for (const [title, spec, listener, reason] of parents)
    it(`an HTTPRoute for ${title} has the condition reason ${reason}`, () => {
      const objects = {
        gateways: [gateway('gateway', [httpListener('http', listener)])],
        labels: { web: { team: 'web' } },
      };
      expect(reasonsOf(route('r', [{ backendRefs: [backend('one')] }], spec), objects)[0]).to.equal(reason);
    });

  it('an unsupported HTTPRoute filter is reported, and its rule responds with 500', () => {
    const rule = { filters: [{ type: 'ExtensionRef', extensionRef: {} }], backendRefs: [backend('one')] };
    expect(handlersOf(rule)).to.include('"status_code":500');
    const { routes } = translate({
      gateways: [gateway('gateway', [httpListener('http')])],
      routes: [route('r', [rule])],
    });
    expect(routes.get('r')?.unsupported).to.deep.equal(['rule 0: filter ExtensionRef is not supported']);
  });

  it('the key of a configuration fragment contains the rule and the match', () => {
    const rules = [{ matches: [pathMatch('/a'), pathMatch('/b')] }, {}];
    const { fragments } = translate({
      gateways: [gateway('gateway', [httpListener('http')])],
      routes: [route('r', rules)],
    });
    expect([...fragments.keys()].filter((key) => key.startsWith('httproute/'))).to.deep.equal([
      'httproute/web/r/0.0',
      'httproute/web/r/0.1',
      'httproute/web/r/1.0',
    ]);
  });
});

describe('translation of Gateways', () => {
  const secret = (data: object): FakeObject => ({ metadata: { name: 'cert', namespace: 'web' }, data });
  const data = tlsSecret('cert')['data'] as Record<string, string>;
  const https = (options: object = {}): object =>
    httpListener('https', { protocol: 'HTTPS', port: 443, tls: { certificateRefs: [{ name: 'cert' }] }, ...options });

  it('an HTTPS listener of a Gateway uses the certificate in its Secret', () => {
    const { fragments } = translate({
      gateways: [gateway('gateway', [https({ hostname: 'a.test' })])],
      routes: [],
      secrets: [tlsSecret('cert')],
    });
    const text = JSON.stringify(fragments.get('gateway/web/gateway/https')?.config);
    expect(text).to.match(
      /"match":\{"sni":\["a\.test"\]\},"certificate_selection":\{"any_tag":\["kubernetes (?:[0-9A-F]{2}:){31}[0-9A-F]{2}"\]\},"default_sni":"a\.test","fallback_sni":"a\.test"/,
    );
    expect(text).to.include('"load_pem":[{"certificate":"-----BEGIN CERTIFICATE-----');
  });

  const invalid: [title: string, secrets: () => readonly FakeObject[]][] = [
    ['is missing', () => []],
    ['has no certificate', () => [secret({})]],
    ['is malformed', () => [secret({ ...data, 'tls.crt': 'eA==' })]],
  ];
  for (const [title, secrets] of invalid)
    it(`an HTTPS listener whose Secret ${title} is not served`, () => {
      const { listeners, fragments } = translate({
        gateways: [gateway('gateway', [https()])],
        routes: [],
        secrets: secrets(),
      });
      const [listener] = listeners.get('web/gateway') ?? [];
      expect(listener?.findings.map(({ reason }) => reason)).to.deep.equal([
        'Accepted',
        'Invalid',
        'InvalidCertificateRef',
        'NoConflicts',
      ]);
      expect([...fragments.keys()]).to.deep.equal([]);
    });

  it('Gateway listeners with the same port conflict if their protocols differ or their hostnames are equal', () => {
    const { listeners } = translate({
      gateways: [
        gateway('gateway', [
          httpListener('a', { hostname: 'a.test' }),
          httpListener('b', { hostname: 'a.test' }),
          httpListener('c', { hostname: 'c.test', port: 81 }),
          httpListener('d', { hostname: 'd.test', port: 81, protocol: 'HTTPS' }),
          httpListener('e', { hostname: 'c.test', port: 82 }),
        ]),
      ],
      routes: [],
    });
    expect((listeners.get('web/gateway') ?? []).map(({ findings }) => findings[0]?.reason)).to.deep.equal([
      'HostnameConflict',
      'HostnameConflict',
      'ProtocolConflict',
      'ProtocolConflict',
      'Accepted',
    ]);
  });

  it('HTTPS and TLS listeners of Gateways can share a port, and the hostnames of HTTPS listeners take precedence', () => {
    const passing = { port: 443, protocol: 'TLS', tls: { mode: 'Passthrough' } };
    const { listeners, fragments } = translate({
      gateways: [
        gateway('gateway', [
          https({ hostname: 'a.test' }),
          httpListener('tls', passing),
          httpListener('same', { ...passing, hostname: 'a.test' }),
        ]),
      ],
      routes: [],
      secrets: [tlsSecret('cert')],
    });
    expect((listeners.get('web/gateway') ?? []).map(({ findings }) => findings[0]?.reason)).to.deep.equal([
      'HostnameConflict',
      'Accepted',
      'HostnameConflict',
    ]);
    expect(JSON.stringify(fragments.get('gateway/web/gateway/tls')?.config)).to.include('"match":[{"tls":{}}]');
    const served = translate({
      gateways: [gateway('gateway', [https({ hostname: '*.a.test' }), httpListener('tls', passing)])],
      routes: [],
      secrets: [tlsSecret('cert')],
    });
    expect(JSON.stringify(served.fragments.get('gateway/web/gateway/tls')?.config)).to.include(
      String.raw`"match":[{"tls":{},"not":[{"tls":{"sni_regexp":{"pattern":"^[^.].*(?:\\.a\\.test)$"}}}]}]`,
    );
  });

  it('a port shared by several Gateways uses the protocol of the oldest Gateway', () => {
    const { listeners } = translate({
      gateways: [gateway('a', [httpListener('http', { port: 443 })]), gateway('b', [https()])],
      routes: [],
    });
    expect((listeners.get('web/b') ?? []).map(({ findings }) => findings[0]?.reason)).to.deep.equal([
      'ProtocolConflict',
    ]);
  });

  it('each Gateway gets an address from the pool: the requested address, the previous address, or a free address', () => {
    const [requested, kept, fresh, late] = [
      gateway('d', [], { addresses: [{ type: 'IPAddress', value: '192.0.2.3' }] }),
      { ...gateway('c', []), status: { addresses: [{ type: 'IPAddress', value: '192.0.2.2' }] } },
      gateway('a', []),
      gateway('e', []),
    ];
    const assigned = assignAddresses(
      [late, fresh, kept, requested] as unknown as Gateway[],
      ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
      [],
    );
    expect(
      Object.fromEntries([...assigned].map(([key, { listen, problem }]) => [key, problem?.reason ?? listen])),
    ).to.deep.equal({
      'web/a': '192.0.2.1',
      'web/c': '192.0.2.2',
      'web/d': '192.0.2.3',
      'web/e': 'AddressNotAssigned',
    });
  });
});

describe('values of the Gateway API', () => {
  it('endpointWeights returns the smallest integers that preserve the ratio of the weights', () => {
    const dials = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}`);
    expect(
      endpointWeights([
        { weight: 90, dials: dials(1) },
        { weight: 10, dials: dials(1) },
      ]),
    ).to.deep.equal([9, 1]);
    expect(
      endpointWeights([
        { weight: 1, dials: dials(2) },
        { weight: 1, dials: dials(3) },
      ]),
    ).to.deep.equal([3, 3, 2, 2, 2]);
  });

  it('shareMatcher matches UUIDs whose first digits are below the share', () => {
    for (const share of [0, 0.1, 0.25, 0.5, 0.9999, 1]) {
      const { pattern } = (shareMatcher(share)['vars_regexp'] as Record<string, { pattern: string }>)[
        '{http.request.uuid}'
      ] ?? {
        pattern: '',
      };
      const expression = new RegExp(pattern);
      let count = 0;
      for (let value = 0; value < 65_536; value++) if (expression.test(value.toString(16).padStart(4, '0'))) count++;
      expect(count / 65_536).to.be.closeTo(share, 0.0001);
    }
  });

  it('milliseconds() parses durations', () => {
    expect(['1s', '500ms', '1m30s', '1h', '0s', '', undefined, '1x'].map(milliseconds)).to.deep.equal([
      1000, 500, 90_000, 3_600_000, 0, 0, 0, 0,
    ]);
  });
});

describe('access to the Kubernetes API server', () => {
  let directory: string;
  beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'sluice-kubernetes-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  const kubeconfig = (user: string): string => {
    const file = join(directory, 'config');
    const text = `
clusters: [{ name: c, cluster: { server: 'https://api.test:6443', certificate-authority: ca.crt, tls-server-name: kube } }]
users: [{ name: u, user: ${user} }]
contexts: [{ name: x, context: { cluster: c, user: u, namespace: web } }]
current-context: x`;
    writeFileSync(file, text);
    writeFileSync(join(directory, 'ca.crt'), 'CA');
    return file;
  };

  it('kubeconfigAccess reads the server address, the CA and a token', () => {
    const access = kubeconfigAccess(kubeconfig('{ token: secret }'));
    expect([access.server.href, access.namespace, access.token()]).to.deep.equal([
      'https://api.test:6443/',
      'web',
      'secret',
    ]);
    expect([String(access.tls.ca), access.tls.servername]).to.deep.equal(['CA', 'kube']);
  });

  it('kubeconfigAccess reads client certificates from inline data', () => {
    const data = (text: string): string => Buffer.from(text).toString('base64');
    const { tls } = kubeconfigAccess(
      kubeconfig(`{ client-certificate-data: ${data('CERT')}, client-key-data: ${data('KEY')} }`),
    );
    expect([String(tls.cert), String(tls.key)]).to.deep.equal(['CERT', 'KEY']);
  });

  it('kubeconfigAccess rejects authentication plugins and unknown contexts', () => {
    expect(() => kubeconfigAccess(kubeconfig('{ exec: { command: x } }'))).to.throw('uses exec for authentication');
    expect(() => kubeconfigAccess(kubeconfig('{}'), 'other')).to.throw('has no context named "other"');
  });

  it('inClusterAccess reads the files of the service account', () => {
    for (const [name, text] of [
      ['token', 'secret\n'],
      ['namespace', 'web'],
      ['ca.crt', 'CA'],
    ] as const)
      writeFileSync(join(directory, name), text);
    const environment = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
    const access = inClusterAccess(environment, directory);
    expect([access.server.href, access.namespace, access.token()]).to.deep.equal([
      'https://[fd00::1]:6443/',
      'web',
      'secret',
    ]);
    expect(() => inClusterAccess({}, directory)).to.throw('not in a cluster');
  });
});
