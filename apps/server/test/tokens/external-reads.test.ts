import { expect } from 'chai';
import { startPlanted, variable, type Planted, type Sent } from './planted.ts';

const refusing = ['file', 'env'];

describe('API tokens with restricted permissions', function () {
  this.timeout(30_000);
  let planted: Planted;
  before(async () => {
    planted = await startPlanted({
      all: {},
      explain: { permissions: [{ paths: ['/explain'] }] },
      plan: { permissions: [{ paths: ['/explain', '/explain/plan'] }] },
      adapt: { permissions: [{ paths: ['/adapt'] }] },
      body: {
        permissions: [{ paths: ['/config/apps/http/servers/s/routes/0/handle/0/body'], refuse_placeholders: refusing }],
      },
      object: { permissions: [{ ids: ['mine'], refuse_placeholders: ['*'] }] },
    });
  });
  after(() => planted.close());

  const silent = async (token: string, path: string, sent: Sent): Promise<Awaited<ReturnType<Planted['ask']>>> => {
    const got = await planted.ask(token, path, sent);
    expect(planted.leakIn(got.text + JSON.stringify(got.headers)), got.text).to.equal(null);
    return got;
  };
  const site = (...handle: object[]): object => ({
    apps: {
      http: { servers: { s: { listen: ['127.0.0.1:0'], automatic_https: { disable: true }, routes: [{ handle }] } } },
    },
  });
  const plan = (config: object, url = 'http://x.example/new'): Sent => ({
    method: 'POST',
    json: { config, requests: [{ url, client: '192.0.2.7' }] },
  });

  // Attack in docs/security.md: Using a token for `/explain` to plan a configuration that contains `{file.*}`, `{env.*}`, `templates` or
  // `file_server`.
  it('the scope /explain does not include /explain/plan', async () => {
    const { status } = await silent('explain', '/explain/plan', plan(site({ handler: 'static_response' })));
    expect(status).to.equal(403);
    expect(
      (await silent('explain', '/explain', { method: 'POST', json: { url: 'http://x.example/mine' } })).status,
    ).to.equal(200);
    expect((await silent('plan', '/explain/plan', plan(site({ handler: 'static_response' })))).status).to.equal(200);
  });

  // Attack in docs/security.md: Reading `{env.*}`, `{file.*}` and files of the current configuration through `/explain` and
  // `/explain/test`.
  it('restricted tokens cannot read files and environment variables used by the active configuration', async () => {
    for (const path of ['/env', '/file', '/up', '/pages/page.html', '/pages/secret.txt', '/else']) {
      const sent = {
        method: 'POST',
        json: { url: `http://x.example${path}`, headers: { key: 'x' }, client: '192.0.2.7' },
      };
      const { status, text } = await silent('explain', '/explain', sent);
      expect([path, status]).to.deep.equal([path, 200]);
      await silent('explain', '/explain/test', sent);
      if (path === '/env') expect(text).to.include('"environment"');
    }
    const all = await planted.ask('all', '/explain', {
      method: 'POST',
      json: { url: 'http://x.example/pages/secret.txt', headers: { key: 'x' } },
    });
    expect(planted.leakIn(all.text)).to.not.equal(null);
  });

  // Attack in docs/security.md: Using a token for `/explain` to plan a configuration that contains `{file.*}`, `{env.*}`, `templates` or
  // `file_server`.
  it('restricted tokens cannot read files or environment variables by planning a configuration that uses them', async () => {
    const { folder, files } = planted;
    const text = `{file.${files.text}} {env.${variable}}`;
    const fixed = { handler: 'static_response', body: text };
    for (const [what, config] of Object.entries({
      body: site(fixed),
      header: site({ handler: 'headers', response: { set: { X: [text] } } }, { handler: 'static_response' }),
      error: site({ handler: 'error', error: text }),
      upstream: site({ handler: 'reverse_proxy', upstreams: [{ dial: text }] }),
      sent: site({
        handler: 'reverse_proxy',
        headers: { request: { set: { X: [text] } } },
        upstreams: [{ dial: 'x:1' }],
      }),
      vars: site({ handler: 'vars', a: text }, { handler: 'static_response', body: '{http.vars.a}' }),
      rewrite: site(
        { handler: 'rewrite', uri: `/${text}` },
        { handler: 'static_response', body: '{http.request.uri}' },
      ),
      templates: site(
        { handler: 'templates', file_root: '/' },
        {
          handler: 'static_response',
          headers: { 'Content-Type': ['text/html'] },
          body: `{{env "${variable}"}} {{readFile "${files.text}"}} {{placeholder "env.${variable}"}}`,
        },
      ),
      files: site({ handler: 'rewrite', uri: '/secret.txt' }, { handler: 'file_server', root: folder }),
      listen: { apps: { http: { servers: { s: { listen: [`${text}:80`] } } } } },
      expression: {
        apps: {
          http: {
            servers: {
              s: {
                listen: [':0'],
                routes: [{ match: [{ expression: `ph(request, "env.${variable}") == "x"` }], handle: [fixed] }],
              },
            },
          },
        },
      },
      log: { logging: { logs: { a: { level: text } } }, apps: { http: { servers: {} } } },
      certificates: {
        apps: { http: {}, tls: { certificates: { load_files: [{ certificate: files.text, key: files.text }] } } },
      },
      pair: { apps: { http: {}, tls: { certificates: { load_pem: [{ certificate: text, key: text }] } } } },
      storage: { storage: { module: 'file_system', root: text }, apps: { http: {} } },
      logger: { logging: { logs: { a: { writer: { output: 'net', address: text } } } }, apps: { http: {} } },
      admin: { admin: { listen: text }, apps: { http: {} } },
    })) {
      const { status } = await silent('plan', '/explain/plan', plan(config));
      expect([what, status < 500]).to.deep.equal([what, true]);
    }
  });

  const adapting: readonly (readonly [format: string, text: string])[] = [
    ['caddyfile', `:80 {\n\trespond {$${variable}}\n}\n`],
    ['caddyfile', `:80 {\n\trespond {$${variable}:default}\n}\n`],
    ['caddyfile', ':80 {\n\timport FOLDER/secret.caddyfile\n}\n'],
    ['caddyfile', ':80 {\n\timport FOLDER/*.caddyfile\n}\n'],
    ['caddyfile', ':80 {\n\timport FOLDER/secret.txt\n}\n'],
    ['caddyfile', ':80 {\n\timport FOLDER/missing\n}\n'],
    [
      'caddyfile',
      ':443 {\n\ttls {\n\t\tclient_auth {\n\t\t\ttrusted_leaf_cert_file FOLDER/secret.txt\n\t\t}\n\t}\n}\n',
    ],
    ['nginx', 'http { server { listen 80; include FOLDER/secret.nginx; } }'],
    ['nginx', 'http { server { listen 80; include FOLDER/*; } }'],
    ['nginx', 'http { server { listen 80; location / { auth_basic x; auth_basic_user_file FOLDER/htpasswd; } } }'],
  ];
  for (const [format, text] of adapting) {
    // Attack in docs/security.md: `/adapt` requests that try to read or detect files with `import`, `{$NAME}`, `include`, password files
    // or certificates.
    it(`requests with restricted tokens are rejected if their ${format} configuration reads a file or variable: ${text.replaceAll(/\s+/g, ' ')}`, async () => {
      const sent = {
        method: 'POST',
        body: text.replaceAll('FOLDER', planted.folder),
        headers: { 'Content-Type': `text/${format}` },
      };
      const refused = await silent('adapt', '/adapt', sent);
      expect([refused.status, refused.text]).to.satisfy(
        ([status, message]: [number, string]) => status === 400 && message.includes('admin.external_reads'),
        refused.text,
      );
      expect(refused.text).to.not.match(/no such|not found|missing'/);
    });
  }

  it('restricted tokens can adapt configurations that read no files or environment variables', async () => {
    const sent = { method: 'POST', body: ':80\nrespond hello\n', headers: { 'Content-Type': 'text/caddyfile' } };
    expect((await planted.ask('adapt', '/adapt', sent)).status).to.equal(200);
  });

  it('restricted tokens receive native JSON, or null for an empty body, and cannot read files through a conversion', async () => {
    const empty = await planted.ask('adapt', '/adapt', { method: 'POST' });
    expect([empty.status, empty.text]).to.deep.equal([200, '{"result":null}\n']);
    const config = site(
      { handler: 'static_response', body: `{$${variable}} {env.${variable}}` },
      { handler: 'vars', import: planted.files.caddyfile },
    );
    const { status } = await silent('adapt', '/adapt', {
      method: 'POST',
      json: config,
      headers: { Accept: 'text/caddyfile' },
    });
    expect(status).to.equal(200);
  });

  // Attack in docs/security.md: A token that may change only a `body`, used to add `{file.*}` to this `body`.
  it('a token scope can forbid placeholders in values, regardless of the notation', async () => {
    const body = '/config/apps/http/servers/s/routes/0/handle/0/body';
    const patch = (operations: object[]): Sent => ({
      method: 'PATCH',
      body: JSON.stringify(operations),
      headers: { 'Content-Type': 'application/json-patch+json' },
    });
    for (const value of [
      `{env.${variable}}`,
      `a {file./etc/passwd}`,
      `{{env.X}}`,
      String.raw`\{env.X}`,
      `{http.vars.{env.X}}`,
    ])
      for (const sent of [{ method: 'PATCH', json: value }, patch([{ op: 'replace', path: '', value }])])
        for (const path of [body, `${body}?dry_run`]) {
          const { status, text } = await silent('body', path, sent);
          expect([value, status, text.includes('the scope of the token does not allow placeholders')]).to.deep.equal([
            value,
            403,
            true,
          ]);
        }
    expect((await silent('body', body, { method: 'PATCH', json: 'plain {http.request.host}' })).status).to.equal(200);
    expect((await silent('object', '/id/mine/body', { method: 'PATCH', json: '{http.request.host}' })).status).to.equal(
      403,
    );
    expect((await silent('object', '/id/mine/headers', { method: 'PUT', json: { '{env.X}': ['a'] } })).status).to.equal(
      403,
    );
    expect((await silent('object', '/id/mine/body', { method: 'PATCH', json: 'plain' })).status).to.equal(200);
  });
});

describe('admin option external_reads', function () {
  this.timeout(30_000);
  let planted: Planted;
  before(async () => {
    planted = await startPlanted({ all: {}, adapt: { permissions: [{ paths: ['/adapt'] }] } });
  });
  after(() => planted.close());

  const sent = { method: 'POST', body: `:80\nrespond {$${variable}}\n`, headers: { 'Content-Type': 'text/caddyfile' } };
  for (const [value, all, adapt] of [
    [null, 200, 400],
    ['unrestricted', 200, 400],
    ['all', 200, 200],
    ['none', 400, 400],
  ] as const) {
    it(`admin.external_reads ${value ?? '(default)'}: POST /adapt returns ${all} with full permissions and ${adapt} with the scope /adapt`, async () => {
      const change = value === null ? { method: 'GET' } : { method: 'POST', json: value };
      await planted.ask('all', `/config/admin/${value === null ? '' : 'external_reads'}`, change);
      expect((await planted.ask('all', '/adapt', sent)).status).to.equal(all);
      expect((await planted.ask('adapt', '/adapt', sent)).status).to.equal(adapt);
    });
  }
});
