import { expect } from 'chai';
import { adaptCaddyfile, convertDocument, type Conversion } from '@sluice/caddyfile';
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

async function convert(text: string): Promise<Conversion> {
  return convertDocument(await adapt(text), registry);
}

/** Files that are their own conversion. */
const files: Readonly<Record<string, string>> = {
  'a static site': 'example.com {\n\troot * /srv\n\tencode zstd gzip\n\tfile_server browse\n}\n',
  'matchers with a name': '@method {\n\tmethod POST\n\tpath /ci/*\n}\nrespond @method 202\n',
  'a matcher of one line': '@path path /a /b\nredir @path https://example.com permanent\n',
  'blocks of which one runs':
    'handle /api/* {\n\treverse_proxy 127.0.0.1:9000\n}\nhandle {\n\trespond "not here" 404\n}\n',
  'routes as they are written': 'route {\n\trespond /a a\n\theader X-Late yes\n}\n',
  'a path that is taken away': 'handle_path /files/* {\n\tfile_server\n}\n',
  'an access log':
    'log access {\n\toutput file /var/log/access.log {\n\t\troll_keep 3\n\t}\n\tlevel INFO\n}\nrespond a\n',
  'a transport':
    'reverse_proxy 127.0.0.1:9000 {\n\tlb_policy cookie lb\n\ttransport http {\n\t\tread_timeout 10s\n\t}\n}\n',
  'files to try': 'try_files {http.request.uri.path} /index.html\nfile_server\n',
  'TLS of a site': 'example.com {\n\ttls internal\n\trespond a\n}\n',
  'TLS of a connection': 'example.com {\n\ttls {\n\t\tprotocols tls1.3\n\t\talpn h2\n\t}\n\trespond a\n}\n',
  'a rewrite': 'rewrite /old /new\nuri strip_prefix /api\n',
  quotes: 'respond `say "hello" {http.request.host}`\n',
};

function siteOf(body: string): string {
  if (body.includes('example.com {')) return body;
  return `:8080 {\n${body.replaceAll(/^(?=.)/gm, '\t')}}\n`;
}

describe('converting JSON to a Caddyfile', () => {
  for (const [what, body] of Object.entries(files)) {
    it(`writes ${what} as it was`, async () => {
      const { text, differences } = await convert(siteOf(body));
      expect({ text, differences }).to.deep.equal({ text: siteOf(body), differences: [] });
    });
  }

  it('writes routes that directives would sort otherwise in a block that keeps their order', async () => {
    const routes = [
      { match: [{ path: ['/a'] }], handle: [{ handler: 'static_response', body: 'a' }] },
      { handle: [{ handler: 'headers', response: { set: { 'X-Late': ['yes'] } } }] },
    ];
    const document: Json = { apps: { http: { servers: { srv0: { listen: [':8080'], routes } } } } };
    const { text, differences } = await convertDocument(document, registry);
    expect(text).to.equal(':8080 {\n\troute {\n\t\trespond /a a\n\t\theader X-Late yes\n\t}\n}\n');
    expect(differences).to.deep.equal([]);
  });

  it('keeps what it can not say as a comment, and names its path', async () => {
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
    expect(text).to.contain('\t# can\'t be said here: {"handle":[{"handler":"unknown","key":"value"}]}\n\trespond a\n');
    expect(await adapt(text)).to.have.nested.property('apps.http.servers.srv0.routes[0].handle[0].body', 'a');
  });

  it('comments a file out that could not be read', async () => {
    const server = { listen: [':8080'], routes: [{ match: [{ host: ['(no', 'site'] }], terminal: true }] };
    const document: Json = { apps: { http: { servers: { srv0: server } } } };
    const { text, differences } = await convertDocument(document, registry);
    expect(differences).to.not.deep.equal([]);
    expect(text.split('\n').every((line) => line === '' || line.startsWith('#'))).to.equal(true);
  });

  it('says that file servers hide the Caddyfile where those of the document do not', async () => {
    const server = { listen: [':8080'], routes: [{ handle: [{ handler: 'file_server' }] }] };
    const { text, differences } = await convertDocument({ apps: { http: { servers: { srv0: server } } } }, registry);
    expect(differences.map(({ path }) => path)).to.deep.equal(['apps.http.servers.srv0.routes[0].handle[0].hide']);
    expect(text).to.contain('\n:8080 {\n\tfile_server\n}\n');
  });

  it('does not let variables of the environment into comments', async () => {
    const document: Json = { apps: { other: '{$SECRET}' } };
    const { text } = await convertDocument({ ...document, admin: { disabled: true } }, registry);
    expect(text).to.contain(String.raw`"{\u0024SECRET}"`);
    expect(await adapt(text)).to.deep.equal({ admin: { disabled: true } });
  });
});
