import { expect } from 'chai';
import { createToken, TokenAccess, type TokenOptions } from '@sluice/admin-api';
import { app, outsideOf, scope, secret, withTokens } from './access.ts';
import { startServer, type Sent, type TestServer } from './admin.ts';

const { document, as } = withTokens({
  all: {},
  scoped: { permissions: [scope] },
  reader: { permissions: [{ ...scope, methods: ['GET'] }, { paths: ['/schema'] }] },
  nothing: { permissions: [] },
  loader: { permissions: [{ methods: ['post'], paths: ['/load'] }] },
  historian: { permissions: [{ paths: ['/history'] }] },
  element: { permissions: [{ paths: ['/config/apps/any/objects/1'] }] },
  old: { expires: '2020-01-01T00:00:00Z' },
  young: { expires: '2999-12-31T23:59:59+02:00' },
});

const any = '/config/apps/any';

describe('admin.tokens', () => {
  let server: TestServer;

  beforeEach(async () => {
    server = await startServer({ document });
  });

  afterEach(() => server.close());

  it('every admin API path requires a token, and the error names the authentication scheme', async () => {
    for (const path of ['/config/', any, '/id/mine', '/load', '/history', '/nothing/of/that/kind', '//config']) {
      const { status, headers, json } = await server.ask(path);
      expect([path, status]).to.deep.equal([path, 401]);
      expect(headers['www-authenticate']).to.equal('Bearer realm="sluice"');
      expect(json).to.have.property('error').that.contains('token');
    }
  });

  it('unknown and expired tokens are rejected', async () => {
    for (const name of ['sluice_wrong', 'old', '', 'x'.repeat(4000)]) {
      const { status, headers } = await server.ask('/config/', as(name));
      expect([name, status]).to.deep.equal([name, 401]);
      if (name !== '') expect(headers['www-authenticate']).to.equal('Bearer realm="sluice", error="invalid_token"');
    }
    expect((await server.ask('/config/', as('young'))).status).to.equal(200);
  });

  it('the authentication scheme is case-insensitive, and other schemes are rejected', async () => {
    const { Authorization = '' } = as('all').headers ?? {};
    const lower = { headers: { Authorization: Authorization.replace('Bearer', 'bearer') } };
    expect((await server.ask('/config/', lower)).status).to.equal(200);
    const basic = { headers: { Authorization: Authorization.replace('Bearer', 'Basic') } };
    expect((await server.ask('/config/', basic)).status).to.equal(401);
  });

  it('CORS preflight requests without a token are answered for allowed origins', async () => {
    const asked = { 'Access-Control-Request-Method': 'PATCH', 'Access-Control-Request-Headers': 'authorization' };
    const from = (origin: string): Sent => ({ method: 'OPTIONS', headers: { Origin: origin, ...asked } });
    const own = `http://127.0.0.1:${server.port}`;
    const { status, headers, text } = await server.ask(`${any}/outside`, from(own));
    expect([status, text]).to.deep.equal([204, '']);
    expect(headers['access-control-allow-origin']).to.equal(own);
    expect(headers['access-control-allow-headers']).to.match(/^Authorization, If-Match, /);
    expect((await server.ask(any, from('http://evil.example'))).status).to.equal(403);
    expect((await server.ask(any, { method: 'OPTIONS', headers: asked })).status).to.equal(401);
    expect((await server.ask(any, { method: 'OPTIONS', headers: { Origin: own } })).status).to.equal(401);
  });

  it('rejected clients are logged without the credentials that they presented', async () => {
    await server.ask('/config/', as('sluice_wrong'));
    await server.ask(`${any}/outside`, as('scoped'));
    await server.ask('/stop', as('scoped', { method: 'POST' }));
    const refused = server.entries.filter(({ message }) => message === 'access denied');
    expect(refused.map(({ fields }) => [fields['method'], fields['uri']])).to.deep.equal([
      ['GET', '/config/'],
      ['GET', `${any}/outside`],
      ['POST', '/stop'],
    ]);
    expect(JSON.stringify(server.entries)).to.not.contain('sluice_wrong');
    expect(server.stopped()).to.equal(false);
  });

  const outcomes: [name: string, method: string, path: string, status: number, sent?: Sent][] = [
    ['all', 'GET', '/config/', 200],
    ['nothing', 'GET', '/config/', 403],
    ['nothing', 'GET', '/schema', 403],
    ['reader', 'GET', '/schema', 200],
    ['scoped', 'GET', '/schema', 403],
    ['scoped', 'GET', '/config/', 403],
    ['scoped', 'GET', any, 403],
    ['scoped', 'GET', `${any}/inside`, 200],
    ['scoped', 'GET', `${any}/inside/list/1`, 200],
    ['scoped', 'GET', `${any}/insider`, 403],
    ['scoped', 'GET', '/config/admin/tokens', 403],
    ['scoped', 'GET', '/id/mine', 200],
    ['scoped', 'GET', '/id/mine/value', 200],
    ['scoped', 'GET', `${any}/objects/1/value`, 200],
    ['scoped', 'GET', `${any}/objects/0/value`, 403],
    ['scoped', 'GET', '/id/theirs', 403],
    ['scoped', 'GET', '/id/missing', 403],
    ['scoped', 'GET', '/id/outside/inside', 403],
    ['scoped', 'PATCH', `${any}/inside/text`, 200, { json: 'new' }],
    ['scoped', 'DELETE', `${any}/inside`, 200],
    ['scoped', 'POST', `${any}/inside/list`, 200, { json: 'more' }],
    ['scoped', 'DELETE', '/id/mine', 200],
    ['scoped', 'PATCH', '/id/mine', 200, { json: { value: 'no id any more' } }],
    ['scoped', 'PUT', '/id/mine', 403, { json: { value: 'a new sibling' } }],
    ['scoped', 'POST', '/id/mine', 403, { json: { value: 'appended' } }],
    ['scoped', 'PATCH', any, 403, { json: {} }],
    ['element', 'PATCH', `${any}/objects/1`, 200, { json: { value: 'new' } }],
    ['element', 'DELETE', `${any}/objects/1`, 403],
    ['element', 'PUT', `${any}/objects/1`, 403, { json: {} }],
    ['element', 'POST', `${any}/objects/1`, 403, { json: {} }],
    ['element', 'PATCH', `${any}/objects/2`, 403, { json: {} }],
    ['reader', 'GET', '/id/mine', 200],
    ['reader', 'PATCH', '/id/mine/value', 403, { json: 1 }],
    ['loader', 'POST', '/load', 200, { json: document }],
    ['loader', 'GET', '/config/', 403],
    ['loader', 'POST', '/adapt', 403, { json: {} }],
    ['historian', 'GET', '/history/1', 200],
    ['historian', 'POST', '/history/1/apply', 200],
    ['scoped', 'GET', '/history', 403],
    ['scoped', 'POST', '/history/1/apply', 403],
    ['scoped', 'POST', '/history/1/confirm', 403],
  ];
  for (const [name, method, path, status, sent] of outcomes) {
    it(`${method} ${path} returns ${status} to the token "${name}"`, async () => {
      const response = await server.ask(path, as(name, { ...sent, method }));
      expect(response.status, response.text).to.equal(status);
      if (status === 403) expect(server.reconciler.revision).to.equal(1);
    });
  }

  it('a JSON Patch cannot change values outside the token scope', async () => {
    const patch = (path: string, operations: unknown): ReturnType<TestServer['ask']> =>
      server.ask(
        path,
        as('scoped', {
          method: 'PATCH',
          headers: { 'Content-Type': 'application/json-patch+json' },
          body: JSON.stringify(operations),
        }),
      );
    const inside = `${any}/inside`;
    expect((await patch(inside, [{ op: 'add', path: '/x', value: 1 }])).status).to.equal(200);
    expect((await patch(inside, [{ op: 'copy', from: '/../outside/secret', path: '/y' }])).status).to.equal(404);
    expect((await patch(any, [{ op: 'replace', path: '/inside/x', value: 2 }])).status).to.equal(403);
    const merge = { method: 'PATCH', headers: { 'Content-Type': 'application/merge-patch+json' }, body: '{"a":1}' };
    expect((await server.ask(any, as('scoped', merge))).status).to.equal(403);
    expect((await server.ask('/id/mine', as('scoped', merge))).status).to.equal(200);
    expect(outsideOf(server.reconciler.read(['apps', 'any']) ?? null)).to.equal(outsideOf(app));
  });

  it('preconditions such as If-Match do not reveal values outside the token scope', async () => {
    const sent = { method: 'PATCH', json: 'x', headers: { 'If-Match': `"${any}/outside 0000000000000000"` } };
    const { status, text } = await server.ask(`${any}/inside/text`, as('scoped', sent));
    expect(status).to.equal(403);
    expect(text).to.not.match(/[\da-f]{16}/);
    const own = { ...sent, headers: { 'If-Match': `"${any}/inside 0000000000000000"` } };
    expect((await server.ask(`${any}/inside/text`, as('scoped', own))).status).to.equal(412);
  });

  it('a dry run does not name modules outside the token scope', async () => {
    const sent = { method: 'PATCH', json: 'x' };
    const { json } = await server.ask(`${any}/inside/text?dry_run`, as('scoped', sent));
    expect(json).to.deep.equal({
      changed: true,
      patch: [{ op: 'replace', path: '/apps/any/inside/text', value: 'x' }],
      counts: { kept: 0, rebuilt: 0, started: 0, stopped: 0 },
      modules: { kept: [], rebuilt: [], started: [], stopped: [] },
    });
    const all = await server.ask(`${any}/inside/text?dry_run`, as('all', sent));
    expect(JSON.stringify(all.json)).to.contain('apps.any');
    expect((await server.ask(`${any}/outside/secret?dry_run`, as('scoped', sent))).status).to.equal(403);
  });

  it('a dry run omits values that the client is not allowed to read', async () => {
    server.reconciler.hooks.rehearsed.tap('test', ({ report }) => {
      report('counted', 3, { method: 'GET', path: '/metrics' });
    });
    const sent = { method: 'PATCH', json: 'x' };
    const path = `${any}/inside/text?dry_run`;
    expect((await server.ask(path, as('all', sent))).json).to.have.property('counted', 3);
    expect((await server.ask(path, as('scoped', sent))).json).to.not.have.property('counted');
  });

  it('the author of a change can confirm it, and is named in the response', async () => {
    const sent = { method: 'PATCH', json: 'x' };
    await server.ask(`${any}/inside/text?confirm_within=1m`, as('scoped', sent));
    expect((await server.ask('/history/2/confirm', as('reader', { method: 'POST' }))).status).to.equal(403);
    expect((await server.ask('/history/2/confirm', as('scoped', { method: 'POST' }))).status).to.equal(200);
    const { json } = await server.ask('/history/2', as('all'));
    expect(json).to.include({ revision: 2, by: 'scoped', origin: `PATCH ${any}/inside/text` });
  });

  it('a token scope continues to apply to an object after the object has moved', async () => {
    await server.ask(`${any}/objects/0`, as('all', { method: 'DELETE' }));
    expect((await server.ask(`${any}/objects/0/value`, as('scoped'))).text).to.equal('"mine"\n');
    expect((await server.ask(`${any}/objects/1/value`, as('scoped'))).status).to.equal(403);
  });

  it('a token is valid from the time it is added until it is removed', async () => {
    await server.ask('/config/admin/tokens', as('all', { method: 'DELETE' }));
    expect((await server.ask('/config/')).status).to.equal(200);
    const { token, hash } = createToken();
    await server.ask('/config/admin', { method: 'PATCH', json: { tokens: [{ name: 'new', hash }] } });
    expect((await server.ask('/config/')).status).to.equal(401);
    expect((await server.ask('/config/', as('all'))).status).to.equal(401);
    expect((await server.ask('/config/', { headers: { Authorization: `Bearer ${token}` } })).status).to.equal(200);
  });

  const hash = `sha256:${'0'.repeat(64)}`;
  const wrong: [tokens: unknown, message: string][] = [
    [[], 'admin.tokens: is empty'],
    [[{ hash }], 'admin.tokens[0].name: is missing'],
    [[{ name: 'a' }], 'admin.tokens[0].hash: must be "sha256:"'],
    [[{ name: 'a', hash: 'sha256:12' }], 'admin.tokens[0].hash'],
    [[{ name: 'a', hash: `md5:${'0'.repeat(64)}` }], 'admin.tokens[0].hash'],
    [
      [
        { name: 'a', hash },
        { name: 'a', hash },
      ],
      'admin.tokens[1].name: duplicate name "a"',
    ],
    [[{ name: 'a', hash, expires: 'tomorrow' }], 'admin.tokens[0].expires: must be a time'],
    [[{ name: 'a', hash, expires: '2027-02-31T25:00:00Z' }], 'admin.tokens[0].expires'],
    [[{ name: 'a', hash, permissions: [{ paths: ['config'] }] }], '"config" is not a path of the API'],
    [[{ name: 'a', hash, permissions: [{ paths: ['/config/../load'] }] }], 'is not a path of the API'],
    [[{ name: 'a', hash, permissions: [{ paths: ['/config//apps'] }] }], 'is not a path of the API'],
    [[{ name: 'a', hash, permissions: [{ paths: ['/config/%zz'] }] }], 'is not a path of the API'],
    [[{ name: 'a', hash, permissions: [{ paths: ['/id/x/handle'] }] }], 'must have the form "/id/<id>"'],
    [[{ name: 'a', hash, secret: 'x' }], 'unknown key "secret"'],
  ];
  for (const [tokens, message] of wrong) {
    it(`admin.tokens rejects ${JSON.stringify(tokens).replaceAll(hash, '…')}`, async () => {
      const response = await server.ask('/config/admin/tokens', as('all', { method: 'PATCH', json: tokens }));
      expect(response.status).to.equal(500);
      expect(response.json).to.have.property('error').that.contains(message);
      expect((await server.ask('/config/', as('all'))).status).to.equal(200);
    });
  }

  it('stored tokens contain no data from which the secret could be recovered', () => {
    const { token, hash: kept } = createToken();
    expect(token).to.match(/^sluice_[\w-]{43}$/);
    expect(kept)
      .to.match(/^sha256:[\da-f]{64}$/)
      .and.not.contain(token);
    expect(createToken().token).to.not.equal(token);
    const entry: TokenOptions = { name: 'a', hash: kept };
    expect(JSON.stringify(new TokenAccess([entry]))).to.not.contain(token);
    expect(secret).to.not.equal(token);
  });
});
