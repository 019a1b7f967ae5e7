import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';

describe('sluice convert ingress', () => {
  let sandbox: Sandbox;

  beforeEach(() => {
    sandbox = new Sandbox();
  });

  afterEach(() => sandbox.remove());

  const manifest = (annotations: Readonly<Record<string, string>>): string => `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: shop
  annotations:
${Object.entries(annotations)
  .map(([name, value]) => `    nginx.ingress.kubernetes.io/${name}: ${JSON.stringify(value)}\n`)
  .join('')}
spec:
  rules:
    - host: shop.test
      http:
        paths:
          - { path: /, pathType: Prefix, backend: { service: { name: shop, port: { number: 80 } } } }
`;

  it('sluice convert ingress prints a valid configuration', async () => {
    const file = await sandbox.write(
      'ingress.yaml',
      manifest({ 'upstream-vhost': 'internal.test', 'limit-rps': '10' }),
    );
    const { code, stdout, stderr } = await sandbox.run(['convert', 'ingress', file]);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    const config = await sandbox.write('sluice.json', stdout);
    expect((await sandbox.run(['validate', '--config', config])).stdout).to.include('Valid configuration');
  });

  it('sluice convert ingress reads standard input and writes HTTPRoutes, but fails if the conversion is lossy', async () => {
    const stdin = manifest({ 'limit-rps': '10' });
    const { code, stdout, stderr } = await sandbox.run(['convert', 'ingress', '-', '--to', 'httproute'], { stdin });
    expect(stdout).to.match(/^apiVersion: gateway\.networking\.k8s\.io\/v1\nkind: Gateway\n[^]*\nkind: HTTPRoute\n/);
    expect({ code, stderr }).to.deep.equal({
      code: 1,
      stderr:
        'warning: Ingress default/shop: limit-rps: not representable in an HTTPRoute\nlossy: some settings were not converted; see the warnings\n',
    });
  });

  it('sluice convert ingress applies snippets through the nginx adapter if they are allowed', async () => {
    const snippet =
      'if ($http_user_agent ~ "Bot{2}") { return 403; } # no robots\nproxy_set_header X-From "host-$host";\nmore_set_headers "X-Frame: deny";';
    const file = await sandbox.write('ingress.yaml', manifest({ 'configuration-snippet': snippet }));
    const allowed = await sandbox.run(['convert', 'ingress', file, '--allow-snippets']);
    expect(allowed.stderr).to.equal('');
    const text = allowed.stdout.replaceAll(/\s/g, '');
    expect(text).to.include('"pattern":"Bot{2}"').and.include('"status_code":403');
    expect(text).to.include('"set":{"X-From":["host-{http.request.host}"]}').and.include('"X-Frame":["deny"]');
    expect(text).to.include('"dial":"shop.default.svc.cluster.local:80"').and.not.include('sluice-ingress-backend');
    const config = await sandbox.write('sluice.json', allowed.stdout);
    expect((await sandbox.run(['validate', '--config', config])).stdout).to.include('Valid configuration');
    const { code, stdout, stderr } = await sandbox.run(['convert', 'ingress', file]);
    expect({ code, hasSnippet: stdout.includes('Bot') }).to.deep.equal({ code: 1, hasSnippet: false });
    expect(stderr).to.include('snippets are disabled unless allow_snippets is set');
  });

  it('sluice convert ingress applies a snippet that responds to all requests', async () => {
    const stdin = manifest({ 'configuration-snippet': 'return 301 /new$request_uri;' });
    const { code, stdout, stderr } = await sandbox.run(['convert', 'ingress', '--allow-snippets'], { stdin });
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.include('/new{http.request.orig_uri}"').and.not.include('nginx.redirect_port');
    expect(stdout).to.not.include('"status_code": 503');
  });

  for (const [title, snippet] of [
    ['closes its location block', 'proxy_set_header A b; } location /secret { return 200;'],
    ['has an unterminated directive', 'proxy_set_header A b'],
    ['contains a location block', 'location /x { return 200; }'],
  ] as const)
    it(`sluice convert ingress rejects an Ingress whose snippet ${title}`, async () => {
      const stdin = manifest({ 'configuration-snippet': snippet });
      const { stdout, stderr } = await sandbox.run(['convert', 'ingress', '--allow-snippets'], { stdin });
      expect(stderr).to.match(/configuration-snippet: (?:the snippet|directive location is not supported)/);
      expect(stdout).not.to.include('/secret');
    });

  it('sluice convert ingress reports files without an Ingress and unknown formats', async () => {
    const empty = await sandbox.run(['convert', 'ingress'], { stdin: 'kind: Service\nmetadata: { name: a }\n' });
    expect([empty.code, empty.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && text.includes('the manifests contain no Ingress'),
    );
    const unknown = await sandbox.run(['convert', 'ingress', '--to', 'yaml'], { stdin: '' });
    expect(unknown.stderr).to.include('--to must be json or httproute, not yaml');
  });
});
