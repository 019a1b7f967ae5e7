import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { convertIngresses, type ConvertedIngresses } from '../../../src/kubernetes/ingress/convert/convert.ts';
import { readManifests } from '../../../src/kubernetes/ingress/convert/manifests.ts';
import type { FakeObject } from '../fake-api-server.ts';
import { tlsSecret } from '../objects.ts';
import { ingress, type IngressOptions } from './objects.ts';

interface Filter {
  readonly type: string;
  readonly requestRedirect?: { readonly scheme: string };
  readonly urlRewrite?: { readonly path?: object };
  readonly cors?: object;
}

interface Rule {
  readonly matches: readonly { readonly path: object; readonly headers?: object }[];
  readonly filters?: readonly Filter[];
  readonly backendRefs: readonly { readonly name: string; readonly weight?: number }[];
}

interface Parsed {
  readonly kind: string;
  readonly spec: {
    readonly parentRefs: readonly { readonly sectionName?: string }[];
    readonly hostnames: readonly string[];
    readonly listeners: readonly { readonly name: string }[];
    readonly rules: readonly Rule[];
  };
}

const manifest = (name: string, options: IngressOptions = {}): FakeObject => ({
  kind: 'Ingress',
  ...ingress(name, options),
});

function convert(to: 'httproute' | 'json', objects: readonly FakeObject[]): Promise<ConvertedIngresses> {
  return convertIngresses([{ name: 'test.json', text: objects.map((each) => JSON.stringify(each)).join('\n---\n') }], {
    to,
    allowSnippets: false,
    gatewayClass: 'sluice',
    adaptNginx: () => Promise.reject(new Error('not used')),
  });
}

/** Converts Ingresses. Returns the resulting HTTPRoutes without Gateways, and the warnings. */
async function routes(
  ...objects: FakeObject[]
): Promise<{ routes: Parsed[]; gateways: Parsed[]; warnings: readonly string[] }> {
  const { text, warnings } = await convert('httproute', objects);
  const documents = parseAllDocuments(text).map((each) => each.toJS() as Parsed);
  return {
    routes: documents.filter(({ kind }) => kind === 'HTTPRoute'),
    gateways: documents.filter(({ kind }) => kind === 'Gateway'),
    warnings,
  };
}

const rulesOf = async (...objects: FakeObject[]): Promise<readonly Rule[]> =>
  (await routes(...objects)).routes[0]?.spec.rules ?? [];

describe('conversion of Ingresses', () => {
  it('readManifests reads YAML documents, lists and JSON, and skips other kinds', () => {
    const text = `
kind: Ingress
metadata: { name: one }
spec: {}
---
kind: List
items:
  - { kind: Ingress, metadata: { name: two, namespace: web }, spec: {} }
  - { kind: Deployment, metadata: { name: app } }
  - { kind: Secret, metadata: { name: s }, stringData: { auth: x } }
---
`;
    const { ingresses, secrets } = readManifests([{ name: 'a.yaml', text }]);
    expect(ingresses.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).to.deep.equal([
      'default/one',
      'web/two',
    ]);
    expect(secrets[0]?.data).to.deep.equal({ auth: 'eA==' });
  });

  it('readManifests names the file in errors for invalid YAML and for objects without a name', () => {
    expect(() => readManifests([{ name: 'a.yaml', text: 'a: [' }])).to.throw(/^a\.yaml: /);
    expect(() => readManifests([{ name: 'a.yaml', text: 'kind: Ingress' }])).to.throw(
      'a.yaml: an object of kind Ingress has no name',
    );
  });

  it('a converted configuration proxies to the Service name if the Service has no endpoints', async () => {
    const { text, warnings, count } = await convert('json', [manifest('one')]);
    expect(text).to.include('"dial": "app.web.svc.cluster.local:80"');
    expect([warnings, count]).to.deep.equal([[], 1]);
  });

  it('a converted configuration contains the certificates of Secrets in the manifests', async () => {
    const objects = [
      manifest('one', { spec: { tls: [{ hosts: ['a.test'], secretName: 'cert' }] } }),
      { kind: 'Secret', ...tlsSecret('cert') },
    ];
    expect((await convert('json', objects)).text).to.include('BEGIN CERTIFICATE');
  });

  it('a converted configuration has warnings for parts that it cannot represent', async () => {
    const { warnings } = await convert('json', [
      manifest('one', { annotations: { 'limit-rate': '100' }, paths: [{ port: 'web' }] }),
    ]);
    expect(warnings).to.deep.equal([
      'Ingress web/one: limit-rate: not supported; bandwidth is not limited',
      'Ingress web/one: backend: port web is unknown; add Service web/app to the manifests',
    ]);
  });

  it('a converted HTTPRoute has matches for paths, and hostnames for hosts', async () => {
    const own = manifest('one', {
      paths: [{ path: '/a', type: 'Exact' }, { path: '/b' }],
      annotations: { 'server-alias': 'b.test' },
    });
    const {
      routes: [route],
      warnings,
    } = await routes(own);
    expect(route?.spec.hostnames).to.deep.equal(['a.test', 'b.test']);
    expect(route?.spec.rules.map(({ matches }) => matches[0]?.path)).to.deep.equal([
      { type: 'Exact', value: '/a' },
      { type: 'PathPrefix', value: '/b' },
    ]);
    expect(warnings).to.deep.equal([]);
  });

  it('a converted Gateway has a listener for a host with TLS, and HTTP requests are redirected', async () => {
    const { routes: found, gateways } = await routes(
      manifest('one', { spec: { tls: [{ hosts: ['a.test'], secretName: 'cert' }] } }),
    );
    expect(gateways[0]?.spec.listeners.map(({ name }) => name)).to.deep.equal(['http', 'https-a-test']);
    expect(found.map(({ spec }) => spec.parentRefs[0]?.sectionName)).to.deep.equal(['https-a-test', 'http']);
    expect(found[1]?.spec.rules[0]?.filters?.[0]?.requestRedirect?.scheme).to.equal('https');
  });

  const rewrites: [path: string, target: string, expected: object | undefined][] = [
    ['/api', '/', { type: 'ReplaceFullPath', replaceFullPath: '/' }],
    ['/api(/|$)(.*)', '/$2', { type: 'ReplacePrefixMatch', replacePrefixMatch: '/' }],
    ['/api/(.*)', '/v1/$1', { type: 'ReplacePrefixMatch', replacePrefixMatch: '/v1/' }],
    ['/(\\d+)/(.*)', '/$2/$1', undefined],
  ];
  for (const [path, target, expected] of rewrites)
    it(`a converted HTTPRoute represents rewrite-target ${target} of ${path} ${expected === undefined ? 'with a warning' : 'as a filter'}`, async () => {
      const own = manifest('one', {
        paths: [{ path, type: 'ImplementationSpecific' }],
        annotations: { 'rewrite-target': target },
      });
      const {
        routes: [route],
        warnings,
      } = await routes(own);
      expect(route?.spec.rules[0]?.filters?.[0]?.urlRewrite?.path).to.deep.equal(expected);
      expect(warnings).to.deep.equal(
        expected === undefined ? ['Ingress web/one: rewrite-target: not representable in an HTTPRoute'] : [],
      );
    });

  it('a converted HTTPRoute represents a canary with weights and header matches', async () => {
    const canary = manifest('canary', {
      paths: [{ service: 'next' }],
      annotations: { canary: 'true', 'canary-by-header': 'X-Beta', 'canary-weight': '20' },
    });
    const rules = await rulesOf(manifest('main'), canary);
    const names = rules.map(({ backendRefs }) =>
      backendRefs.map(({ name, weight }) => `${name} ${weight ?? ''}`.trim()),
    );
    expect(names).to.deep.equal([['next'], ['app'], ['app 80', 'next 20']]);
    expect(rules[0]?.matches[0]?.headers).to.deep.equal([{ name: 'X-Beta', value: 'always' }]);
  });

  it('a converted HTTPRoute represents redirects, CORS, and host and prefix rewrites as filters', async () => {
    const filters = async (annotations: Record<string, string>): Promise<readonly Filter[]> =>
      (await rulesOf(manifest('one', { annotations })))[0]?.filters ?? [];
    expect(await filters({ 'permanent-redirect': 'https://b.test/x', 'permanent-redirect-code': '308' })).to.deep.equal(
      [
        {
          type: 'RequestRedirect',
          requestRedirect: {
            scheme: 'https',
            hostname: 'b.test',
            path: { type: 'ReplaceFullPath', replaceFullPath: '/x' },
            statusCode: 308,
          },
        },
      ],
    );
    const [cors] = await filters({ 'enable-cors': 'true', 'cors-allow-origin': 'https://b.test' });
    expect(cors?.cors).to.deep.include({ allowOrigins: ['https://b.test'], allowCredentials: true });
    const [anyOrigin] = await filters({ 'enable-cors': 'true' });
    expect(anyOrigin?.cors).to.deep.include({ allowOrigins: ['*'], allowCredentials: false });
    expect(await filters({ 'upstream-vhost': 'c.test', 'x-forwarded-prefix': '/p' })).to.deep.equal([
      { type: 'URLRewrite', urlRewrite: { hostname: 'c.test' } },
      { type: 'RequestHeaderModifier', requestHeaderModifier: { set: [{ name: 'X-Forwarded-Prefix', value: '/p' }] } },
    ]);
  });

  it('a converted HTTPRoute has one warning for each annotation that it cannot represent', async () => {
    const { warnings } = await routes(
      manifest('one', { annotations: { 'limit-rps': '10', 'auth-url': 'http://x.test', 'proxy-buffer-size': '8k' } }),
    );
    expect(warnings).to.deep.equal([
      'Ingress web/one: limit-rps: not representable in an HTTPRoute',
      'Ingress web/one: auth-url: not representable in an HTTPRoute',
    ]);
  });
});
