import { expect } from 'chai';
import { withTokens } from '../access.ts';
import { startServer, type TestServer } from '../admin.ts';

const files: ReadonlyMap<string, string> = new Map([
  ['index.html', '<!doctype html>'],
  ['main-1a.js', 'plain'],
  ['main-1a.js.br', 'small'],
  ['main-1a.js.gz', 'less small'],
  ['secret.txt', 'no type'],
]);
const pageFile = (name: string): Buffer | null => {
  const text = files.get(name);
  return text === undefined ? null : Buffer.from(text);
};
const { document, as } = withTokens({ all: {}, reader: { permissions: [{ methods: ['GET'], paths: ['/schema'] }] } });
const browser = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'none' };

describe('admin-api.dashboard', () => {
  let server: TestServer;
  afterEach(() => server.close());

  it('the dashboard page is served without a token, with a Content-Security-Policy that blocks external resources', async () => {
    server = await startServer({ document, pageFile });
    const { status, text, headers } = await server.ask('/ui/', { headers: browser });
    expect([status, text]).to.deep.equal([200, '<!doctype html>']);
    expect(headers['content-security-policy']).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect((await server.ask('/ui', { headers: browser })).headers.location).to.equal('/ui/');
  });

  it('dashboard files are served in the smallest encoding the browser accepts, and are cached permanently', async () => {
    server = await startServer({ pageFile });
    for (const [accepted, coding, text] of [
      ['gzip, deflate, br', 'br', 'small'],
      ['gzip;q=0.5', 'gzip', 'less small'],
      ['br;q=0, gzip', 'gzip', 'less small'],
      ['', undefined, 'plain'],
    ] as const) {
      const response = await server.ask('/ui/main-1a.js', { headers: { 'Accept-Encoding': accepted } });
      expect([response.headers['content-encoding'], response.text]).to.deep.equal([coding, text]);
      expect(response.headers['cache-control']).to.equal('public, max-age=31536000, immutable');
    }
  });

  it('the dashboard serves only its own files and prevents path traversal', async () => {
    server = await startServer({ pageFile });
    for (const path of ['nothing.js', 'secret.txt', 'main-1a.js.br', '..%2Findex.html', 'a/index.html', '.html'])
      expect([path, (await server.ask(`/ui/${path}`)).status]).to.deep.equal([path, 404]);
    expect((await server.ask('/ui/', { method: 'POST' })).status).to.equal(405);
  });

  it('the dashboard returns 404 if it is disabled or was not built', async () => {
    server = await startServer({ document: { admin: { ui: false } }, pageFile });
    const off = await server.ask('/ui/');
    expect([off.status, off.text]).to.deep.equal([404, '{"error":"the dashboard is disabled (admin.ui)"}\n']);
    await server.close();
    server = await startServer();
    expect((await server.ask('/ui/')).text).to.contain('this build does not include the dashboard');
  });

  it('the dashboard rejects requests for foreign hosts, like every other route', async () => {
    server = await startServer({ pageFile });
    expect((await server.ask('/ui/', { headers: { Host: 'evil.example' } })).status).to.equal(403);
  });

  it('the dashboard reveals a client identity only to the authenticated client itself', async () => {
    server = await startServer({ document, pageFile });
    expect((await server.ask('/session', as('reader'))).json).to.deep.equal({
      name: 'reader',
      permissions: [{ methods: ['GET'], paths: ['/schema'] }],
    });
    expect((await server.ask('/session')).status).to.equal(401);
    expect((await server.ask('/session/code', { method: 'POST' })).status).to.equal(401);
  });

  // Attack in docs/security.md: A reused or expired `sluice ui` code; a session whose token was removed.
  it('a one-time code opens a dashboard session with the permissions of the token, as long as the token exists', async () => {
    server = await startServer({ document, pageFile });
    const { json } = await server.ask('/session/code', as('reader', { method: 'POST' }));
    const { path } = json as { readonly path: string };
    const code = /^\/ui\/#code=([\w-]{43})$/.exec(path)?.[1];
    const opened = await server.ask('/session', { method: 'POST', json: { code } });
    expect(opened.status).to.equal(200);
    const { token } = opened.json as { readonly token: string };
    expect((await server.ask('/schema', as(token))).status).to.equal(200);
    expect((await server.ask('/config/', as(token))).status).to.equal(403);
    expect((await server.ask('/session', { method: 'POST', json: { code } })).status).to.equal(403);
    expect((await server.ask('/session', { method: 'POST', body: '{}' })).status).to.equal(400);
    expect((await server.ask('/session', { method: 'POST', body: 'no JSON' })).status).to.equal(400);
    const others = withTokens({ all: {} });
    await server.reconciler.load(others.document);
    expect((await server.ask('/schema', as(token))).status).to.equal(401);
    expect(JSON.stringify(server.entries)).to.not.contain(token).and.not.contain(code);
  });

  it('a dashboard session ends when its token is removed', async () => {
    server = await startServer({ document, pageFile });
    const made = await server.ask('/session/code', as('all', { method: 'POST' }));
    const code = (made.json as { readonly path: string }).path.split('=')[1];
    const opened = await server.ask('/session', { method: 'POST', json: { code } });
    const { token } = opened.json as { readonly token: string };
    expect((await server.ask('/session', as(token, { method: 'DELETE' }))).status).to.equal(200);
    expect((await server.ask('/session', as(token))).status).to.equal(401);
  });

  it('the dashboard does not require a one-time code if the server does not require a token', async () => {
    server = await startServer({ pageFile });
    expect((await server.ask('/session/code', { method: 'POST' })).json).to.deep.equal({ path: '/ui/' });
    expect((await server.ask('/session')).json).to.deep.equal({ name: null, permissions: null });
  });
});
