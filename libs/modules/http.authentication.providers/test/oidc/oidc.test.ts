import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { register } from '@sluice/http.authentication.providers';
import { register as handlers } from '@sluice/http.handlers';
import { serve, withRoutes, type TestServer } from '@sluice/testing';
import { clientId, clientSecret, signInAt, startProvider, type RealProvider } from './real-provider.ts';
import { locationOf, pathOf, Visitor } from './visitor.ts';

const callback = 'http://localhost/oauth2/callback';
const secure = 'https://app.test/oauth2/callback';
const secrets = ['0123456789abcdef0123456789abcdef'];
const body = '{http.auth.user.id} {http.auth.user.email} {http.auth.user.groups} {http.request.header.Remote-Email}';

describe('http.authentication.providers.oidc with a real provider', () => {
  let provider: RealProvider;
  const servers: TestServer[] = [];

  before(async () => {
    provider = await startProvider({ redirectUris: [callback, secure], signedOutUris: ['http://localhost/bye'] });
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  after(() => provider.close());

  async function served(options: JsonObject = {}): Promise<TestServer> {
    const oidc = {
      issuer: provider.issuer,
      client_id: clientId,
      client_secret: clientSecret,
      scopes: ['email', 'profile', 'groups'],
      claim_headers: { 'Remote-Email': 'email' },
      cookie_secrets: secrets,
      ...options,
    };
    const handle = [
      { handler: 'authentication', providers: { oidc } },
      { handler: 'static_response', body: `${body} [{http.request.header.Cookie}]` },
    ];
    const server = await serve(withRoutes([{ handle }]), { register: [register, handlers] });
    servers.push(server);
    return server;
  }

  /** Signs in. Returns the response to the callback request. */
  async function signIn(visitor: Visitor, path = '/private?a=1', name = 'ada') {
    const started = await visitor.visit(path);
    expect(started.status).to.equal(302);
    return visitor.visit(pathOf(await signInAt(locationOf(started), name)));
  }

  it('oidc signs a browser in, returns to the original URL, and accepts later requests', async () => {
    const visitor = new Visitor(await served());
    visitor.cookies.set('theme', 'dark');
    const started = await visitor.visit('/private?a=1');
    const { origin, searchParams } = new URL(locationOf(started));
    expect(origin).to.equal(provider.issuer);
    expect(searchParams.get('code_challenge_method')).to.equal('S256');
    expect(searchParams.get('state')).to.have.lengthOf(43);
    expect(searchParams.get('nonce')).to.have.lengthOf(43);
    const finished = await visitor.visit(pathOf(await signInAt(locationOf(started), 'ada')));
    expect(finished.status).to.equal(302);
    expect(locationOf(finished)).to.equal('http://localhost/private?a=1');
    const page = await visitor.visit('/private?a=1');
    expect(page).to.include({ status: 200, text: 'ada ada@example.com staff,ops ada@example.com [theme=dark]' });
    expect([...visitor.cookies.keys()]).to.deep.equal(['theme', 'sluice_session', 'sluice_session_id']);
  });

  it('oidc sets host-only, secure cookies if the redirect URI has the scheme https', async () => {
    const visitor = new Visitor(await served({ redirect_uri: secure }), 'app.test');
    const finished = await signIn(visitor);
    expect(locationOf(finished)).to.equal('https://app.test/private?a=1');
    const lines = finished.headers.all('set-cookie').map((line) => line.replace(/=[^;]*/, ''));
    expect(lines).to.deep.equal([
      lines[0]?.replace(/_\d;.*/, '_') +
        `${lines[0]?.match(/_(\d);/)?.[1]}; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax`,
      '__Host-sluice_session; Max-Age=7200; Path=/; Secure; HttpOnly; SameSite=Lax',
      '__Secure-sluice_session_id; Max-Age=43200; Path=/oauth2/sign_out; Secure; HttpOnly; SameSite=Lax',
    ]);
    expect(lines[0]).to.match(/^__Host-sluice_session_\d;/);
  });

  it('oidc does not contact the provider for requests after the sign-in', async () => {
    const server = await served();
    const visitor = new Visitor(server);
    await signIn(visitor);
    const count = provider.tokenRequests();
    for (let i = 0; i < 5; i++) expect((await visitor.visit('/')).status).to.equal(200);
    expect(provider.tokenRequests()).to.equal(count);
  });

  // Attack in docs/security.md: A callback that is repeated, or arrives after fifteen minutes.
  it('oidc rejects a repeated callback, even with the original cookie', async () => {
    const visitor = new Visitor(await served());
    const started = await visitor.visit('/');
    const again = visitor.copy();
    const path = pathOf(await signInAt(locationOf(started), 'ada'));
    expect((await visitor.visit(path)).status).to.equal(302);
    expect((await visitor.visit(path)).status).to.equal(400);
    expect((await again.visit(path)).status).to.equal(400);
    expect(again.cookies.has('sluice_session')).to.equal(false);
  });

  it('oidc signs the user out locally and at the provider', async () => {
    const visitor = new Visitor(await served({ sign_out_redirect: '/bye' }));
    await signIn(visitor);
    const out = await visitor.visit('/oauth2/sign_out');
    const target = new URL(locationOf(out));
    expect(target.origin + target.pathname).to.equal(`${provider.issuer}/session/end`);
    expect(target.searchParams.get('post_logout_redirect_uri')).to.equal('http://localhost/bye');
    expect(target.searchParams.get('id_token_hint')).to.match(/^ey/);
    const page = await fetch(target, { redirect: 'manual' });
    expect([200, 303]).to.include(page.status);
    expect(visitor.cookies.size).to.equal(0);
    expect((await visitor.visit('/')).status).to.equal(302);
  });

  it('oidc refreshes tokens once for concurrent requests, and ends the session after the provider rejects a refresh', async () => {
    const short = await startProvider({ redirectUris: [callback], lifetime: 1 });
    try {
      const visitor = new Visitor(await served({ issuer: short.issuer, scopes: ['email', 'offline_access'] }));
      await signIn(visitor);
      const before = short.tokenRequests();
      await new Promise((resolve) => setTimeout(resolve, 1100));
      const pages = await Promise.all(Array.from({ length: 5 }, () => visitor.visit('/')));
      expect(pages.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200]);
      expect(short.tokenRequests()).to.equal(before + 1);
      const copy = visitor.copy();
      await visitor.visit('/oauth2/sign_out');
      await new Promise((resolve) => setTimeout(resolve, 1100));
      expect((await copy.visit('/')).status).to.equal(302);
    } finally {
      await short.close();
    }
  });

  it('oidc with user_info reads claims from the UserInfo endpoint', async () => {
    const visitor = new Visitor(await served({ user_info: true, scopes: ['email'] }));
    await signIn(visitor);
    expect((await visitor.visit('/')).text).to.match(/^ada ada@example.com/);
  });
});
