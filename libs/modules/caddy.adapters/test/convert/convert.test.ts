import { expect } from 'chai';
import { adaptCaddyfile, convertDocument } from '@sluice/caddyfile';
import type { ConvertedConfig } from '@sluice/contracts';
import type { Json } from '@sluice/base';
import { standardRegistry } from '../standard-registry.ts';

const registry = standardRegistry();

async function adapt(text: string): Promise<Json> {
  const { config } = await adaptCaddyfile(text, registry, {
    file: 'Caddyfile',
    environment: { SECRET: 'a\nrespond b' },
  });
  return JSON.parse(JSON.stringify(config)) as Json;
}

async function convert(text: string): Promise<ConvertedConfig> {
  return convertDocument(await adapt(text), registry);
}

/** Caddyfiles that do not change when they are adapted and converted back. */
const files: Readonly<Record<string, string>> = {
  'a static site': 'example.com {\n\troot * /srv\n\tencode zstd gzip\n\tfile_server browse\n}\n',
  'named matchers': '@method {\n\tmethod POST\n\tpath /ci/*\n}\nrespond @method 202\n',
  'a one-line matcher': '@path path /a /b\nredir @path https://example.com permanent\n',
  'mutually exclusive handle blocks':
    'handle /api/* {\n\treverse_proxy 127.0.0.1:9000\n}\nhandle {\n\trespond "not here" 404\n}\n',
  'routes in their written order': 'route {\n\trespond /a a\n\theader X-Late yes\n}\n',
  'a stripped path prefix': 'handle_path /files/* {\n\tfile_server\n}\n',
  'an access log':
    'log access {\n\toutput file /var/log/access.log {\n\t\troll_keep 3\n\t}\n\tlevel INFO\n}\nrespond a\n',
  'a transport':
    'reverse_proxy 127.0.0.1:9000 {\n\tlb_policy cookie lb\n\ttransport http {\n\t\tread_timeout 10s\n\t}\n}\n',
  try_files: 'try_files {http.request.uri.path} /index.html\nfile_server\n',
  'TLS settings of a site': 'example.com {\n\ttls internal\n\trespond a\n}\n',
  'TLS connection settings': 'example.com {\n\ttls {\n\t\tprotocols tls1.3\n\t\talpn h2\n\t}\n\trespond a\n}\n',
  'a rewrite': 'rewrite /old /new\nuri strip_prefix /api\n',
  quotes: 'respond `say "hello" {http.request.host}`\n',
};

function siteOf(body: string): string {
  if (body.includes('example.com {')) return body;
  return `:8080 {\n${body.replaceAll(/^(?=.)/gm, '\t')}}\n`;
}

describe('converting JSON to a Caddyfile', () => {
  for (const [what, body] of Object.entries(files)) {
    it(`convert() reproduces ${what}`, async () => {
      const { text, verdict, differences } = await convert(siteOf(body));
      expect({ text, verdict, differences }).to.deep.equal({
        text: siteOf(body),
        verdict: 'identical',
        differences: [],
      });
    });
  }

  for (const [where, options] of Object.entries({
    'the app': '{\n\terror_pages off\n}\n',
    'all servers': '{\n\tservers {\n\t\terror_pages on\n\t}\n}\n',
    'a server': '{\n\terror_pages off\n\tservers :8080 {\n\t\terror_pages on\n\t}\n}\n',
  }))
    it(`convert() reproduces error_pages for ${where}`, async () => {
      const text = `${options}\n:8080 {\n\trespond a\n}\n\n:8081 {\n\trespond b\n}\n`;
      expect(await convert(text)).to.include({ text, verdict: 'identical' });
    });

  it('convert() sets the order option if routes are not in the default order', async () => {
    const routes = [
      { match: [{ path: ['/a'] }], handle: [{ handler: 'static_response', body: 'a' }] },
      { handle: [{ handler: 'headers', response: { set: { 'X-Late': ['yes'] } } }] },
    ];
    const document: Json = { apps: { http: { servers: { srv0: { listen: [':8080'], routes } } } } };
    const { text, verdict, differences } = await convertDocument(document, registry);
    expect(text).to.equal('{\n\torder respond before header\n}\n\n:8080 {\n\trespond /a a\n\theader X-Late yes\n}\n');
    expect({ verdict, differences }).to.deep.equal({ verdict: 'identical', differences: [] });
  });

  it('convert() uses a route block if no directive order fits, and reports that the nesting differs', async () => {
    const late = { handle: [{ handler: 'headers', response: { set: { 'X-Late': ['yes'] } } }] };
    const routes = [
      late,
      { match: [{ path: ['/a'] }], handle: [{ handler: 'static_response', body: 'a' }] },
      { ...late, match: [{ path: ['/b'] }] },
    ];
    const document: Json = { apps: { http: { servers: { srv0: { listen: [':8080'], routes } } } } };
    const { text, verdict, differences } = await convertDocument(document, registry);
    expect(text).to.contain(
      ':8080 {\n\troute {\n\t\theader X-Late yes\n\t\trespond /a a\n\t\theader /b X-Late yes\n\t}\n}\n',
    );
    expect(text).to.contain(
      '# This file has the same meaning as the configuration, but the JSON differs in these places:\n',
    );
    expect(verdict).to.equal('same');
    expect(differences.map(({ path }) => path)).to.deep.equal(['apps.http.servers.srv0.routes']);
  });

  it('convert() writes alternative matcher sets as a double negation (not not)', async () => {
    const match = [{ method: ['PUT'] }, { path: ['/a', '/b'] }];
    const routes = [{ match, handle: [{ handler: 'static_response', body: 'a' }] }];
    const document: Json = { apps: { http: { servers: { srv0: { listen: [':8080'], routes } } } } };
    const { text, verdict } = await convertDocument(document, registry);
    expect(verdict).to.equal('same');
    expect(text).to.contain('\t@not not {\n\t\tnot method PUT\n\t\tnot path /a /b\n\t}\n\trespond @not a\n');
  });

  it('convert() reports a server whose name cannot be preserved', async () => {
    const routes = [{ handle: [{ handler: 'static_response', body: 'a' }] }];
    const document: Json = { apps: { http: { servers: { web: { listen: ['127.0.0.1:8080'], routes } } } } };
    const { text, verdict } = await convertDocument(document, registry);
    expect(verdict).to.equal('identical');
    expect(text).to.contain('\tservers 127.0.0.1:8080 {\n\t\tname web\n\t}\n');
  });

  it('convert() is fast for deeply nested routes', async () => {
    let routes: Json = [{ handle: [{ handler: 'static_response', body: 'a' }] }];
    for (let depth = 0; depth < 12; depth++) {
      const handler: Json = { handler: 'subroute', routes };
      routes = [{ match: [{ method: ['GET'] }], handle: [handler] }, { handle: [{ handler: 'vars', depth }] }];
    }
    const document: Json = { apps: { http: { servers: { srv0: { listen: [':8080'], routes } } } } };
    const { verdict } = await convertDocument(document, registry);
    expect(verdict).to.not.equal('different');
  }).timeout(20_000);

  it('convert() writes settings that a Caddyfile cannot express as comments with their paths', async () => {
    const document: Json = {
      apps: {
        http: {
          servers: {
            srv0: {
              listen: [':8080'],
              routes: [
                { handle: [{ handler: 'unknown', key: 'value' }] },
                { handle: [{ handler: 'static_response', body: 'a' }] },
              ],
            },
          },
        },
        other: { key: 1 },
      },
    };
    const { text, differences } = await convertDocument(document, registry);
    expect(differences.map(({ path }) => path)).to.include('apps.other');
    expect(differences.some(({ path }) => path.startsWith('apps.http.servers.srv0.routes'))).to.equal(true);
    expect(text).to.contain('# apps.other: {"key":1}\n');
    expect(text).to.contain(
      '\t# apps.http.servers.srv0.routes[0] is not representable here: {"handle":[{"handler":"unknown","key":"value"}]}\n\trespond a\n',
    );
    expect(await adapt(text)).to.have.nested.property('apps.http.servers.srv0.routes[0].handle[0].body', 'a');
  });

  it('convert() reports that an @id cannot be preserved', async () => {
    const routes = [{ '@id': 'first', handle: [{ handler: 'static_response', body: 'a' }] }];
    const document: Json = { apps: { http: { servers: { srv0: { listen: [':8080'], routes } } } } };
    const { text, verdict, differences } = await convertDocument(document, registry);
    expect(text).to.contain('\n:8080 {\n\trespond a\n}\n');
    expect(verdict).to.equal('different');
    expect(differences.map(({ path }) => path)).to.deep.equal(['apps.http.servers.srv0.routes[0].@id']);
  });

  it('convert() ignores the order of sites for different hosts, unless a wildcard overlaps them', async () => {
    const site = (host: string): Json => ({ match: [{ host: [host] }], terminal: true });
    const server = { listen: [':80'], routes: [site('a.example'), site('longer.example')] };
    const document: Json = { apps: { http: { servers: { srv0: server } } } };
    expect(await convertDocument(document, registry)).to.include({ verdict: 'same' });
    const patterns = { ...server, routes: [site('*.example'), site('a.example')] };
    expect(await convertDocument({ apps: { http: { servers: { srv0: patterns } } } }, registry)).to.include({
      verdict: 'different',
    });
  });

  it('convert() comments out the whole Caddyfile if it could not be parsed', async () => {
    const server = { listen: [':8080'], routes: [{ match: [{ host: ['(no', 'site'] }], terminal: true }] };
    const document: Json = { apps: { http: { servers: { srv0: server } } } };
    const { text, differences } = await convertDocument(document, registry);
    expect(differences).to.not.deep.equal([]);
    expect(text.split('\n').every((line) => line === '' || line.startsWith('#'))).to.equal(true);
  });

  it('convert() reports file servers that do not hide the Caddyfile', async () => {
    const server = { listen: [':8080'], routes: [{ handle: [{ handler: 'file_server' }] }] };
    const { text, differences } = await convertDocument({ apps: { http: { servers: { srv0: server } } } }, registry);
    expect(differences.map(({ path }) => path)).to.deep.equal(['apps.http.servers.srv0.routes[0].handle[0].hide']);
    expect(text).to.contain('\n:8080 {\n\tfile_server\n}\n');
  });

  it('convert() does not expand environment variables in comments', async () => {
    const document: Json = { apps: { other: '{$SECRET}' } };
    const { text } = await convertDocument({ ...document, admin: { disabled: true } }, registry);
    expect(text).to.contain(String.raw`"{\u0024SECRET}"`);
    expect(await adapt(text)).to.deep.equal({ admin: { disabled: true } });
  });
});
