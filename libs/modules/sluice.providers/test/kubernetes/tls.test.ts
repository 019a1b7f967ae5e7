import { expect } from 'chai';
import { backendCertificateOf, validationFindings } from '../../src/kubernetes/gateway/gateway-tls.ts';
import { policyTargetsOf, namedTargetsOf } from '../../src/kubernetes/gateway/references.ts';
import { resolvePolicy } from '../../src/kubernetes/gateway/backend-tls.ts';
import { policyPatch } from '../../src/kubernetes/gateway/status.ts';
import type { ClusterView } from '../../src/kubernetes/gateway/cluster-view.ts';
import { servicesOf, type BackendTlsPolicy, type Gateway, type Secret } from '../../src/kubernetes/objects.ts';
import type { FakeObject } from './fake-api-server.ts';
import { backend, gateway, httpListener, route, service, slice, tlsSecret } from './objects.ts';
import { translate, type TestObjects } from './translate.ts';

const certificate = (): string =>
  Buffer.from((tlsSecret('cert')['data'] as { 'tls.crt': string })['tls.crt'], 'base64').toString();
const derOf = (pem: string): string => pem.replaceAll(/-----[^-]+-----|\n/g, '');
const authority = (name: string, text = certificate(), namespace = 'web'): FakeObject => ({
  metadata: { name, namespace },
  data: { 'ca.crt': text },
});
const policy = (name: string, validation: object = {}, target: object = {}): FakeObject => ({
  metadata: { name, namespace: 'web' },
  spec: {
    targetRefs: [{ group: '', kind: 'Service', name: 'app', ...target }],
    validation: {
      caCertificateRefs: [{ group: '', kind: 'ConfigMap', name: 'ca' }],
      hostname: 'app.test',
      ...validation,
    },
  },
});

/** Returns the configuration of a route to the Service `app` as text. */
function configOf(objects: Partial<TestObjects>): string {
  const { fragments } = translate({
    gateways: [gateway('gateway', [httpListener('http')])],
    routes: [route('r', [{ backendRefs: [backend('app')] }])],
    services: [service('app')],
    slices: [slice('app', ['10.0.0.1'])],
    configMaps: [authority('ca')],
    ...objects,
  });
  return JSON.stringify(fragments.get('httproute/web/r/0.0')?.config);
}

/** Returns the reasons in the status conditions of a policy. */
function reasonsOf(subject: FakeObject, objects: Partial<TestObjects> = {}): readonly string[] {
  const policies = [subject, ...(objects.policies ?? [])] as unknown as BackendTlsPolicy[];
  const view = {
    configMap: (key: string) =>
      (objects.configMaps ?? [authority('ca')]).find(({ metadata }) => `web/${metadata.name}` === key),
    policiesOf: (key: string) => policies.filter((each) => servicesOf(each).includes(key)),
  } as unknown as ClusterView;
  return resolvePolicy(subject as unknown as BackendTlsPolicy, view, new Set()).findings.map(({ reason }) => reason);
}

describe('BackendTLSPolicy', () => {
  it('a Service with a BackendTLSPolicy is contacted over TLS with the CAs and hostname of the policy', () => {
    const tls = { server_name: 'app.test', ca: { provider: 'inline', trusted_ca_certs: [derOf(certificate())] } };
    const config = configOf({ policies: [policy('p')] });
    expect(config).to.include('"headers":{"request":{"set":{"Host":["{http.request.hostport}"]}}}');
    expect(config).to.include(`"transport":{"protocol":"http","tls":${JSON.stringify(tls)}}`);
  });

  it('the subjectAltNames of a BackendTLSPolicy become accepted certificate names', () => {
    const subjectAltNames = [
      { type: 'Hostname', hostname: 'a.test' },
      { type: 'URI', uri: 'spiffe://a.test/b' },
    ];
    expect(configOf({ policies: [policy('p', { subjectAltNames })] })).to.include(
      '"subject_alt_names":["a.test","spiffe://a.test/b"]',
    );
  });

  it('a BackendTLSPolicy with system CAs does not configure other CAs', () => {
    const validation = { caCertificateRefs: [], wellKnownCACertificates: 'System' };
    expect(configOf({ policies: [policy('p', validation)] })).to.include('"tls":{"server_name":"app.test"}');
  });

  it('requests to a Service with an invalid BackendTLSPolicy fail with 500, and are never sent without TLS', () => {
    const config = configOf({ policies: [policy('p')], configMaps: [] });
    expect(config).to.include('"status_code":500').and.not.include('10.0.0.1');
  });

  it('a BackendTLSPolicy for a port takes precedence over a policy for all ports', () => {
    const policies = [policy('all'), policy('port', { hostname: 'port.test' }, { sectionName: 'http' })];
    expect(configOf({ policies })).to.include('"server_name":"port.test"');
  });

  for (const [title, subject, objects, reasons] of [
    ['a CA', policy('p'), {}, ['Accepted', 'ResolvedRefs']],
    ['a missing ConfigMap', policy('p'), { configMaps: [] }, ['NoValidCACertificate', 'InvalidCACertificateRef']],
    [
      'a ConfigMap without a certificate',
      policy('p'),
      { configMaps: [authority('ca', 'no certificate')] },
      ['NoValidCACertificate', 'InvalidCACertificateRef'],
    ],
    [
      'a reference to another kind',
      policy('p', { caCertificateRefs: [{ group: 'a.test', kind: 'Other', name: 'ca' }] }),
      {},
      ['NoValidCACertificate', 'InvalidKind'],
    ],
    ['an older policy for its target', policy('p'), { policies: [policy('a')] }, ['Conflicted', 'ResolvedRefs']],
    [
      'an older policy for one port of its target',
      policy('p'),
      { policies: [policy('a', {}, { sectionName: 'http' })] },
      ['Accepted', 'ResolvedRefs'],
    ],
  ] as const)
    it(`a BackendTLSPolicy with ${title} has the condition reasons ${reasons.join(' and ')}`, () => {
      expect(reasonsOf(subject, objects)).to.deep.equal(reasons);
    });

  it('the status of a BackendTLSPolicy names the Gateways of the policy, and keeps entries of other controllers', () => {
    const other = { ancestorRef: { name: 'x', namespace: 'web' }, controllerName: 'other' };
    const subject = { ...policy('p'), status: { ancestors: [other] } } as unknown as BackendTlsPolicy;
    const patch = policyPatch(subject, [], ['web/gateway'], 'own') as { status: { ancestors: readonly object[] } };
    expect(patch.status.ancestors).to.deep.equal([
      other,
      {
        ancestorRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', namespace: 'web', name: 'gateway' },
        controllerName: 'own',
        conditions: [],
      },
    ]);
  });
});

describe('TLS options of Gateways', () => {
  const httpsListener = (name: string, port: number): object => ({
    ...httpListener(name, { port, protocol: 'HTTPS' }),
    tls: { certificateRefs: [{ name: 'cert' }] },
  });
  const validating = (name: string, options: object = {}): object => ({
    validation: { caCertificateRefs: [{ group: '', kind: 'ConfigMap', name }], ...options },
  });
  const withFrontend = (frontend: object): FakeObject =>
    gateway('gateway', [httpsListener('a', 443), httpsListener('b', 8443), httpListener('c')], { tls: { frontend } });
  const translated = (frontend: object): ReturnType<typeof translate> =>
    translate({
      gateways: [withFrontend(frontend)],
      routes: [],
      secrets: [tlsSecret('cert')],
      configMaps: [authority('ca')],
    });
  const configsOf = (frontend: object): readonly string[] =>
    [...translated(frontend).fragments]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([, { config }]) => JSON.stringify(config));

  it('TLS listeners require client certificates from the CAs of their port', () => {
    const perPort = [{ port: 8443, tls: validating('ca', { mode: 'AllowInsecureFallback' }) }];
    const [a, b, c] = configsOf({ default: validating('ca'), perPort });
    const ca = { provider: 'inline', trusted_ca_certs: [derOf(certificate())] };
    expect(a).to.include(JSON.stringify({ mode: 'require_and_verify', ca }));
    expect(b).to.include('"client_authentication":{"mode":"request"}');
    expect(c).not.to.include('client_authentication');
  });

  it('a Gateway listener without a valid client CA is not served, but other listeners are served', () => {
    const { listeners, fragments } = translated({ default: validating('missing'), perPort: [{ port: 8443 }] });
    const [a, b, c] = listeners.get('web/gateway') ?? [];
    expect(a?.findings.map(({ reason }) => reason).slice(0, 3)).to.deep.equal([
      'NoValidCACertificate',
      'Invalid',
      'InvalidCACertificateRef',
    ]);
    expect([b?.isServed, c?.isServed]).to.deep.equal([true, true]);
    expect([...fragments.keys()].sort()).to.deep.equal(['gateway/web/gateway/b', 'gateway/web/gateway/c']);
  });

  it('a Gateway that accepts clients without a certificate reports insecure client validation in a condition', () => {
    const subject = withFrontend({ default: validating('ca', { mode: 'AllowInsecureFallback' }) });
    expect(validationFindings(subject as unknown as Gateway).map(({ type }) => type)).to.deep.equal([
      'InsecureFrontendValidationMode',
    ]);
  });

  it('the certificate of a Gateway is presented to backends that have a BackendTLSPolicy', () => {
    const tls = { backend: { clientCertificateRef: { name: 'cert' } } };
    const objects = {
      gateways: [gateway('gateway', [httpListener('http')], { tls })],
      policies: [policy('p')],
      secrets: [tlsSecret('cert')],
    };
    expect(configOf(objects)).to.include('"client_certificate_pem":"-----BEGIN');
    expect(configOf({ ...objects, policies: [] })).not.to.include('client_certificate_pem');
  });

  for (const [title, reference, reason] of [
    ['exists', { name: 'cert' }, 'ResolvedRefs'],
    ['is missing', { name: 'other' }, 'InvalidClientCertificateRef'],
    ['has another kind', { kind: 'Other', name: 'cert' }, 'InvalidClientCertificateRef'],
    ['is in another namespace without a grant', { name: 'cert', namespace: 'other' }, 'RefNotPermitted'],
  ] as const)
    it(`a reference to a client certificate that ${title} has the condition reason ${reason}`, () => {
      const view = {
        secret: (key: string) => (key === 'web/cert' ? (tlsSecret('cert') as unknown as Secret) : undefined),
        grantsIn: () => [],
      } as unknown as ClusterView;
      const subject = gateway('gateway', [], { tls: { backend: { clientCertificateRef: reference } } });
      const scope = { namespace: 'web', view, dependsOn: new Set<string>() };
      const { findings } = backendCertificateOf(subject as unknown as Gateway, scope);
      expect(findings.map((each) => each.reason)).to.deep.equal([reason]);
    });

  it('the controller reads only the referenced Secrets and ConfigMaps', () => {
    const tls = { frontend: { default: validating('ca') }, backend: { clientCertificateRef: { name: 'client' } } };
    const subject = gateway('gateway', [httpsListener('a', 443)], { tls });
    expect(namedTargetsOf(subject as unknown as Gateway)).to.deep.equal([
      'secret/web/cert',
      'secret/web/client',
      'configmap/web/ca',
    ]);
    expect(policyTargetsOf(policy('p') as unknown as BackendTlsPolicy)).to.deep.equal(['configmap/web/ca']);
  });
});
