import { expect } from 'chai';
import { UnsecuredJWT } from 'jose';
import { silentLogger, type Json, type JsonObject } from '@sluice/base';
import { register } from '@sluice/http.authentication.providers';
import { register as handlers } from '@sluice/http.handlers';
import { MemoryStorage, registerStorage, serve, withRoutes, type TestRequest, type TestServer } from '@sluice/testing';
import { ControlBus, SharedMemory, sharedMemoryToken } from '@sluice/threads';
import { callbackFor, startFake, type FakeProvider } from './fake-provider.ts';
import { locationOf, Visitor } from './visitor.ts';

const secret = '0123456789abcdef0123456789abcdef';
const other = 'fedcba9876543210fedcba9876543210';

describe('http.authentication.providers.oidc under attack', () => {
  let fake: FakeProvider;
  let servers: TestServer[] = [];
  let closes = true;

  beforeEach(async () => {
    fake = await startFake();
    closes = true;
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
    if (closes) await fake.close();
    servers = [];
  });

  async function served(
    options: JsonObject = {},
    storage = new MemoryStorage(),
    memory: SharedMemory | null = null,
  ): Promise<TestServer> {
    const oidc = { issuer: fake.issuer, client_id: 'app', cookie_secrets: [secret], ...options };
    const body = '{http.auth.user.id}|{http.request.header.Remote-User}|{http.request.header.Remote-Groups}';
    const handle = [
      { handler: 'authentication', providers: { oidc } },
      { handler: 'static_response', body },
    ];
    const config: Json = {
      storage: { module: 'memory' },
      apps: { http: { servers: { s: { routes: [{ handle }] } } } },
    };
    const services = new Map(memory === null ? [] : [[sharedMemoryToken, memory]]);
    const server = await serve(config, { register: [register, handlers, registerStorage(storage)], services });
    servers.push(server);
    return server;
  }

  async function start(visitor: Visitor, path = '/'): Promise<string> {
    const started = await visitor.visit(path);
    expect(started.status).to.equal(302);
    return locationOf(started);
  }

  async function signedIn(options: JsonObject = {}, host = 'localhost'): Promise<Visitor> {
    const visitor = new Visitor(await served(options), host);
    expect((await visitor.visit(callbackFor(await start(visitor)))).status).to.equal(302);
    return visitor;
  }

  /** Returns the status of a callback request. Verifies that a session starts only if the status is 302. */
  async function statusOf(visitor: Visitor, path: string): Promise<number> {
    const { status } = await visitor.visit(path);
    expect(visitor.cookies.has('sluice_session')).to.equal(status === 302);
    return status;
  }

  // Attack in docs/security.md: An intercepted code.
  it('oidc redeems a code with the PKCE verifier and the redirect URI', async () => {
    await signedIn({ client_secret: 'x' });
    expect(fake.sent.get('code_verifier')).to.have.lengthOf(43);
    expect(fake.sent.get('redirect_uri')).to.equal('http://localhost/oauth2/callback');
  });

  // Attack in docs/security.md: A wrong or missing `state`, or a callback in another browser (login CSRF).
  it('oidc rejects a callback with a wrong state, without a state, or without a cookie', async () => {
    const visitor = new Visitor(await served());
    const location = await start(visitor);
    expect(await statusOf(visitor, callbackFor(location, { state: 'x'.repeat(43) }))).to.equal(400);
    expect(await statusOf(visitor, callbackFor(location, { state: '' }))).to.equal(400);
    expect(await statusOf(visitor, '/oauth2/callback')).to.equal(400);
    expect(fake.requests.get('/token')).to.equal(undefined);
    expect(await statusOf(visitor, callbackFor(location))).to.equal(302);
  });

  // Attack in docs/security.md: A wrong or missing `state`, or a callback in another browser (login CSRF).
  it('oidc rejects a callback in a browser that did not start the sign-in', async () => {
    const server = await served();
    const attacker = new Visitor(server);
    const victim = new Visitor(server);
    const path = callbackFor(await start(attacker));
    await start(victim);
    expect(await statusOf(victim, path)).to.equal(400);
  });

  // Attack in docs/security.md: Authorization server mix-up (RFC 9207).
  it('oidc rejects a callback with a different issuer, or with no issuer if the provider announces one', async () => {
    const visitor = new Visitor(await served());
    expect(await statusOf(visitor, callbackFor(await start(visitor), { iss: 'https://evil.example' }))).to.equal(502);
    const missing = callbackFor(await start(visitor)).replace(/&iss=.*/, '');
    expect(await statusOf(visitor, missing)).to.equal(502);
    expect(fake.requests.get('/token')).to.equal(undefined);
  });

  const invalid: readonly (readonly [string, Partial<Pick<FakeProvider, 'claims' | 'signature' | 'tokens'>>])[] = [
    ['has another nonce', { claims: { nonce: 'x' } }],
    ['has no nonce', { claims: { nonce: undefined } }],
    ['has another issuer', { claims: { iss: 'https://evil.example' } }],
    ['has another audience', { claims: { aud: 'other' } }],
    ['has several audiences and another authorized party', { claims: { aud: ['app', 'other'], azp: 'other' } }],
    ['has expired', { claims: { exp: 1 } }],
    ['was issued in the future', { claims: { nbf: 9_999_999_999 } }],
    ['has no subject', { claims: { sub: undefined } }],
    ['has the algorithm none', { signature: 'none' }],
    ['is signed with another key', { signature: 'wrong' }],
    ['is missing', { tokens: { id_token: undefined } }],
  ];
  for (const [title, change] of invalid)
    // Attack in docs/security.md: Missing, expired or unsigned ID tokens; ID tokens with a wrong nonce, issuer, audience or key.
    it(`oidc rejects an ID token that ${title}`, async () => {
      Object.assign(fake, change);
      const visitor = new Visitor(await served());
      expect(await statusOf(visitor, callbackFor(await start(visitor)))).to.equal(502);
    });

  it('oidc tolerates clock differences up to clock_tolerance', async () => {
    fake.claims = { exp: Math.floor(Date.now() / 1000) - 60 };
    const visitor = new Visitor(await served({ clock_tolerance: '2m' }));
    expect(await statusOf(visitor, callbackFor(await start(visitor)))).to.equal(302);
  });

  // Attack in docs/security.md: Authorization server mix-up (RFC 9207).
  it('oidc rejects provider metadata with a different issuer', async () => {
    fake.metadata = { issuer: 'https://evil.example' };
    const visitor = new Visitor(await served());
    expect((await visitor.visit('/')).status).to.equal(503);
  });

  // Attack in docs/security.md: Modified or truncated session cookies.
  it('oidc ignores a session cookie if any bit is changed', async () => {
    const visitor = await signedIn();
    expect((await visitor.visit('/')).status).to.equal(200);
    const sealed = Buffer.from(visitor.cookies.get('sluice_session') ?? '', 'base64url');
    for (let at = 0; at < sealed.length; at += 7) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      visitor.cookies.set('sluice_session', changed.toString('base64url'));
      expect((await visitor.visit('/')).status).to.equal(302);
    }
    for (const text of ['', 'x', '2.x', '9.', '4.AAAA', '__proto__', sealed.toString('base64url').slice(0, -1)]) {
      visitor.cookies.set('sluice_session', text);
      expect((await visitor.visit('/')).status).to.equal(302);
    }
  });

  // Attack in docs/security.md: Session cookies for another OAuth client, issuer or host; other kinds of cookies instead of a session
  // cookie.
  it('oidc ignores a session cookie issued for another client, issuer, host or secret', async () => {
    const visitor = await signedIn();
    expect((await visitor.copy('other.test').visit('/')).status).to.equal(302);
    expect((await visitor.visit('/')).status).to.equal(200);
    expect((await visitor.copy('other.test').visit('/')).status, 'cached').to.equal(302);
    for (const options of [{ client_id: 'other' }, { issuer: `${fake.issuer}/x` }, { cookie_secrets: [other] }]) {
      fake.metadata = options.issuer === undefined ? {} : { issuer: options.issuer };
      const response = await visitor.copy('localhost', await served(options)).visit('/', { accept: '*/*' });
      expect(response.status).to.equal(401);
    }
  });

  // Attack in docs/security.md: Session cookies for another OAuth client, issuer or host; other kinds of cookies instead of a session
  // cookie.
  it('oidc does not accept a sign-in cookie as a session cookie', async () => {
    const visitor = new Visitor(await served());
    await start(visitor);
    const [sealed = ''] = visitor.cookies.values();
    visitor.cookies.set('sluice_session', sealed);
    expect((await visitor.visit('/')).status).to.equal(302);
  });

  it('oidc decrypts cookies with older secrets, and encrypts them with the first secret', async () => {
    const visitor = await signedIn();
    const rotated = visitor.copy('localhost', await served({ cookie_secrets: [other, secret] }));
    expect((await rotated.visit('/')).status).to.equal(200);
    const fresh = new Visitor(await served({ cookie_secrets: [other, secret] }));
    await fresh.visit(callbackFor(await start(fresh)));
    expect((await fresh.copy('localhost', await served({ cookie_secrets: [other] })).visit('/')).status).to.equal(200);
  });

  it('oidc shares a generated key among servers with the same storage', async () => {
    const storage = new MemoryStorage();
    const [one, two] = await Promise.all([
      served({ cookie_secrets: null }, storage),
      served({ cookie_secrets: null }, storage),
    ]);
    const visitor = new Visitor(one);
    await visitor.visit(callbackFor(await start(visitor)));
    expect((await visitor.copy('localhost', two).visit('/')).status).to.equal(200);
  });

  // Attack in docs/security.md: A session cookie that an attacker set before the sign-in (session fixation).
  it('oidc replaces a session cookie that was created before the sign-in', async () => {
    const attacker = await signedIn();
    const fixed = attacker.cookies.get('sluice_session') ?? '';
    fake.claims = { sub: 'victim' };
    const victim = attacker.copy();
    victim.cookies.delete('sluice_session');
    const location = await start(victim);
    victim.cookies.set('sluice_session', fixed);
    await victim.visit(callbackFor(location));
    expect(victim.cookies.get('sluice_session')).not.to.equal(fixed);
    expect((await victim.visit('/')).text).to.match(/^victim/);
    expect((await attacker.visit('/')).text).to.match(/^ada/);
  });

  for (const path of [
    '//evil.example',
    '/\\evil.example',
    '/%5Cevil.example',
    '//evil.example/%2f..',
    '/x?u=//evil.example',
    '/\t/evil',
  ])
    it(`oidc returns to the same server after a sign-in from ${JSON.stringify(path)}`, async () => {
      const visitor = new Visitor(await served());
      const finished = await visitor.visit(callbackFor(await start(visitor, path)));
      expect(new URL(locationOf(finished)).origin).to.equal('http://localhost');
      expect(locationOf(finished)).to.match(/^http:\/\/localhost\/(?![/\\])/);
    });

  // Attack in docs/security.md: Line breaks and commas in claims.
  it('oidc removes line breaks and commas from claims before it writes the claims to header fields', async () => {
    fake.claims = {
      sub: 'ada\r\nX-Admin: 1',
      groups: ['a', 'b,admin', 'c\r\nX-Admin: 1', { x: 1 }, 'd\u2028e'],
    };
    const visitor = await signedIn({ claim_headers: { 'Remote-User': 'sub', 'Remote-Groups': 'groups' } });
    expect((await visitor.visit('/')).text).to.equal('ada X-Admin: 1|ada X-Admin: 1|a,c X-Admin: 1,d e');
  });

  // Attack in docs/security.md: Identity fields (`claim_headers`) that the client sends or lists in `Connection`.
  it('oidc removes user header fields that clients send', async () => {
    const visitor = await signedIn({ claim_headers: { 'Remote-User': 'sub', 'Remote-Groups': 'groups' } });
    const headers = { 'remote-user': 'root', 'remote-groups': 'admin' };
    expect((await visitor.visit('/', headers)).text).to.equal('ada|ada|');
  });

  // Attack in docs/security.md: Identity fields (`claim_headers`) that the client sends or lists in `Connection`.
  it('oidc removes the names of user header fields from Connection, so that proxies do not drop the fields that oidc sets', async () => {
    const oidc = {
      issuer: fake.issuer,
      client_id: 'app',
      cookie_secrets: [secret],
      claim_headers: { 'Remote-User': 'sub' },
    };
    const handle = [
      { handler: 'authentication', providers: { oidc } },
      { handler: 'static_response', body: '{http.request.header.Connection}|{http.request.header.Remote-User}' },
    ];
    const server = await serve(withRoutes([{ handle }]), { register: [register, handlers] });
    servers.push(server);
    const visitor = new Visitor(server);
    await visitor.visit(callbackFor(await start(visitor)));
    const connection = 'keep-alive, Remote-User';
    expect((await visitor.visit('/', { connection })).text).to.equal('keep-alive|ada');
    expect((await visitor.visit('/', { connection: 'REMOTE-USER' })).text).to.equal('|ada');
  });

  it('oidc removes user header fields even if another provider authenticates the user', async () => {
    const oidc = {
      issuer: fake.issuer,
      client_id: 'app',
      cookie_secrets: [secret],
      claim_headers: { 'Remote-User': 'sub' },
    };
    const jwt = { skip_verification: true };
    const handle = [
      { handler: 'authentication', providers: { jwt, oidc } },
      { handler: 'static_response', body: '{http.auth.user.id}|{http.request.header.Remote-User}' },
    ];
    const server = await serve(withRoutes([{ handle }]), { register: [register, handlers] });
    servers.push(server);
    const authorization = `Bearer ${new UnsecuredJWT({ sub: 'machine' }).encode()}`;
    const response = await new Visitor(server).visit('/', { authorization, 'remote-user': 'root' });
    expect(response.text).to.equal('machine|');
  });

  // Attack in docs/security.md: Large claims.
  it('oidc splits large sessions into chunks, and rejects sessions above the size limit', async () => {
    fake.claims = { groups: Array.from({ length: 300 }, (_, i) => `group-${i}-of-many`) };
    const visitor = await signedIn();
    expect([...visitor.cookies.keys()]).to.include.members(['sluice_session', 'sluice_session.1']);
    for (const value of visitor.cookies.values()) expect(value.length).to.be.below(4000);
    expect((await visitor.visit('/')).status).to.equal(200);
    const cut = visitor.copy();
    cut.cookies.delete('sluice_session.1');
    expect((await cut.visit('/')).status).to.equal(302);
    fake.claims = { groups: ['x'.repeat(20_000)] };
    const large = new Visitor(await served());
    expect(await statusOf(large, callbackFor(await start(large)))).to.equal(500);
    fake.claims = {};
    await visitor.visit('/oauth2/sign_out');
    expect([...visitor.cookies.keys()].filter((name) => !name.endsWith('_id'))).to.deep.equal([]);
  });

  // Attack in docs/security.md: Many sign-ins that a browser starts but never completes.
  it('oidc limits the number of sign-ins in progress per browser', async () => {
    const visitor = new Visitor(await served());
    for (let i = 0; i < 20; i++) await start(visitor, `/${i}`);
    expect(visitor.cookies.size).to.equal(4);
    expect(await statusOf(visitor, callbackFor(await start(visitor)))).to.equal(302);
  });

  const api: readonly (readonly [string, Readonly<Record<string, string>>, TestRequest])[] = [
    ['without text/html in Accept', { accept: 'application/json' }, {}],
    ['with any type in Accept', { accept: '*/*' }, {}],
    ['from XMLHttpRequest', { 'x-requested-with': 'XMLHttpRequest' }, {}],
    ['from fetch', { 'sec-fetch-mode': 'cors' }, {}],
    ['to open a WebSocket', { connection: 'Upgrade', upgrade: 'websocket' }, {}],
    ['with a body', {}, { method: 'POST' }],
  ];
  for (const [title, headers, more] of api)
    it(`oidc returns 401 for a request ${title}, and does not start a sign-in`, async () => {
      const visitor = new Visitor(await served());
      const response = await visitor.visit('/', headers, more);
      expect(response.status).to.equal(401);
      expect(response.headers.all('set-cookie')).to.deep.equal([]);
    });

  // Attack in docs/security.md: A link on another site that signs users out.
  it('oidc does not sign users out when they follow a link on another site', async () => {
    const visitor = await signedIn();
    expect((await visitor.visit('/oauth2/sign_out', { 'sec-fetch-site': 'cross-site' })).status).to.equal(403);
    expect((await visitor.visit('/')).status).to.equal(200);
  });

  const rules: readonly (readonly [JsonObject, JsonObject, number])[] = [
    [{ allowed_groups: ['admin'] }, { groups: ['staff'] }, 403],
    [{ allowed_groups: ['admin'] }, {}, 403],
    [{ allowed_groups: ['admin'] }, { groups: ['staff', 'admin'] }, 302],
    [{ allowed_groups: ['admin'], groups_claim: 'realm.roles' }, { realm: { roles: ['admin'] } }, 302],
    [{ allowed_domains: ['example.com'] }, { email: 'a@example.com', email_verified: true }, 302],
    [{ allowed_domains: ['example.com'] }, { email: 'a@Example.COM', email_verified: true }, 302],
    [{ allowed_domains: ['example.com'] }, { email: 'a@example.com' }, 403],
    [{ allowed_domains: ['example.com'] }, { email: 'a@example.com', email_verified: false }, 403],
    [{ allowed_domains: ['example.com'], allow_unverified_email: true }, { email: 'a@example.com' }, 302],
    [{ allowed_domains: ['example.com'] }, { email: 'a@sub.example.com', email_verified: true }, 403],
    [{ allowed_domains: ['example.com'] }, { email: 'a@example.com@evil.example', email_verified: true }, 403],
    [{ allowed_domains: ['example.com'] }, { email: 'example.com', email_verified: true }, 403],
    [{ allowed_emails: ['b@x.org'], allowed_domains: ['y.org'] }, { email: 'b@x.org', email_verified: true }, 302],
    [{ allowed_emails: ['b@x.org'] }, { email: ['b@x.org'], email_verified: true }, 403],
    [{ user_claims: ['upn'] }, {}, 403],
  ];
  for (const [options, claims, status] of rules)
    it(`oidc returns ${status} with ${JSON.stringify(options)} for the claims ${JSON.stringify(claims)}`, async () => {
      fake.claims = claims;
      const visitor = new Visitor(await served(options));
      expect(await statusOf(visitor, callbackFor(await start(visitor)))).to.equal(status);
    });

  it('oidc applies new rules to existing sessions', async () => {
    fake.claims = { groups: ['staff'] };
    const visitor = await signedIn();
    const strict = await served({ allowed_groups: ['admin'] });
    expect((await visitor.copy('localhost', strict).visit('/')).status).to.equal(403);
  });

  for (const [error, status] of [
    ['access_denied', 403],
    ['temporarily_unavailable', 503],
  ] as const)
    it(`oidc returns ${status} if the provider responds with ${error}`, async () => {
      const visitor = new Visitor(await served());
      const path = callbackFor(await start(visitor), { error }).replace('code=', 'other=');
      expect(await statusOf(visitor, path)).to.equal(status);
    });

  it('oidc returns 400 if the provider rejects the code, and 502 if the provider rejects the client', async () => {
    const visitor = new Visitor(await served());
    fake.failure = { status: 400, error: 'invalid_grant' };
    expect(await statusOf(visitor, callbackFor(await start(visitor)))).to.equal(400);
    fake.failure = { status: 401, error: 'invalid_client' };
    expect(await statusOf(visitor, callbackFor(await start(visitor)))).to.equal(502);
  });

  const rejected: readonly (readonly [JsonObject, string])[] = [
    [{ issuer: 'id.example.com' }, 'issuer: must be the URL of an OpenID provider'],
    [{ client_id: '' }, 'client_id: requires the client ID'],
    [{ client_secret: '{env.SLUICE_TEST_UNSET}' }, 'client_secret: the placeholder {env.SLUICE_TEST_UNSET} is empty'],
    [{ cookie_secrets: ['short'] }, 'cookie_secrets[0]: is too short'],
    [{ redirect_uri: '//evil.example/cb' }, 'redirect_uri: must be a path, or a URL'],
    [{ redirect_uri: 'https://a.example/cb?x=1' }, 'redirect_uri: must be a path, or a URL'],
    [{ sign_out_path: '/oauth2/callback' }, 'sign_out_path: must differ'],
    [{ sign_out_redirect: '//evil.example' }, 'sign_out_redirect: must be a path'],
    [
      { authorization_params: { state: 'x' } },
      'authorization_params.state: state cannot be configured, because the server sets it',
    ],
    [{ cookie_name: 'a b' }, 'cookie_name: "a b" is not a valid cookie name'],
    [{ claim_headers: { 'X A': 'sub' } }, 'requires a header field name and a claim name'],
  ];
  for (const [options, message] of rejected)
    it(`oidc rejects the options ${JSON.stringify(options)}`, async () => {
      const error: unknown = await served(options).then(
        () => null,
        (caught: unknown) => caught,
      );
      expect(String(error)).to.contain(message);
    });

  describe('http.authentication.providers.oidc: expiry and refresh', () => {
    const now = Date.now;
    const forward = (seconds: number): void => {
      const from = now() + seconds * 1000;
      Date.now = () => from;
    };
    afterEach(() => (Date.now = now));

    // Attack in docs/security.md: Old session cookies.
    it('oidc ends a session after the idle timeout', async () => {
      const visitor = await signedIn({ idle_timeout: '10m' });
      forward(599);
      expect((await visitor.copy().visit('/')).status).to.equal(200);
      forward(601);
      expect((await visitor.visit('/')).status).to.equal(302);
    });

    // Attack in docs/security.md: Old session cookies.
    it('oidc extends a session in use, up to the maximum lifetime', async () => {
      const visitor = await signedIn({ idle_timeout: '10m', session_lifetime: '1h' });
      for (let time = 300; time < 3600; time += 300) {
        forward(time);
        expect((await visitor.visit('/')).status).to.equal(200);
      }
      forward(3601);
      expect((await visitor.visit('/')).status).to.equal(302);
    });

    // Attack in docs/security.md: A callback that is repeated, or arrives after fifteen minutes.
    it('oidc rejects a callback after fifteen minutes', async () => {
      const visitor = new Visitor(await served());
      const location = await start(visitor);
      forward(901);
      expect(await statusOf(visitor, callbackFor(location))).to.equal(400);
    });

    // Attack in docs/security.md: A provider that is unavailable.
    it('oidc continues sessions while the provider is unavailable, and returns 503 for new sign-ins', async () => {
      fake.tokens = { refresh_token: 'r', expires_in: 300 };
      const visitor = await signedIn();
      const fresh = await served({ clock_tolerance: '1m' });
      await fake.close();
      for (const time of [250, 400, 4000]) {
        forward(time);
        expect((await visitor.visit('/')).status).to.equal(200);
      }
      expect((await new Visitor(fresh).visit('/')).status).to.equal(503);
      await fake.reopen();
      forward(4100);
      expect((await visitor.visit('/')).status).to.equal(200);
      expect((await new Visitor(fresh).visit('/')).status).to.equal(302);
    });

    for (const cached of [false, true])
      it(`oidc prevents ${cached ? 'the cache handler' : 'shared caches'} from storing a renewed session cookie`, async () => {
        const oidc = { issuer: fake.issuer, client_id: 'app', cookie_secrets: [secret], idle_timeout: '10m' };
        const headers = {
          'Cache-Control': ['public, max-age=3600'],
          'Cdn-Cache-Control': ['max-age=60'],
          'X-User': ['x'],
        };
        const handle = [
          { handler: 'authentication', providers: { oidc } },
          ...(cached ? [{ handler: 'cache' }] : []),
          { handler: 'static_response', headers, body: 'page' },
        ];
        const services = new Map([[sharedMemoryToken, new SharedMemory(new ControlBus(silentLogger))]]);
        const server = await serve(withRoutes([{ handle }]), { register: [register, handlers], services });
        servers.push(server);
        const visitor = new Visitor(server);
        await visitor.visit(callbackFor(await start(visitor)));
        const other = visitor.copy();
        forward(500);
        const renewed = await visitor.visit('/');
        expect(renewed.headers.all('set-cookie')).to.have.lengthOf(1);
        expect(renewed.headers.get('cache-control')).to.equal('private, no-cache');
        expect(renewed.headers.has('cdn-cache-control')).to.equal(false);
        Date.now = now;
        const next = await other.visit('/');
        expect(next.headers.all('set-cookie')).to.deep.equal([]);
        expect(next.headers.get('cache-control')).to.equal('public, max-age=3600');
        expect(next.headers.has('age')).to.equal(cached);
      });

    // Attack in docs/security.md: Two threads that use the same refresh token, which triggers the provider's reuse detection.
    it('oidc uses a refresh token in only one thread of the process', async () => {
      fake.tokens = { refresh_token: 'first', expires_in: 300 };
      const memory = new SharedMemory(new ControlBus(silentLogger));
      // Providers with different options share no state, as is the case with two threads.
      const one = await served({ clock_tolerance: '31s' }, new MemoryStorage(), memory);
      const two = await served({ clock_tolerance: '32s' }, new MemoryStorage(), memory);
      const visitor = new Visitor(one);
      await visitor.visit(callbackFor(await start(visitor)));
      const other = visitor.copy('localhost', two);
      fake.tokens = { refresh_token: 'second', expires_in: 300 };
      const before = fake.requests.get('/token') ?? 0;
      const old = visitor.cookies.get('sluice_session');
      forward(301);
      const pages = await Promise.all([visitor.visit('/'), other.visit('/')]);
      expect(pages.map(({ status }) => status)).to.deep.equal([200, 200]);
      expect(fake.requests.get('/token')).to.equal(before + 1);
      expect([visitor, other].filter(({ cookies }) => cookies.get('sluice_session') === old)).to.have.lengthOf(1);
    });

    // Attack in docs/security.md: A user who was blocked or removed from a group; a refresh that returns a different user.
    it('oidc ends a session after the provider rejects the refresh token, but not before the access token expires', async () => {
      fake.tokens = { refresh_token: 'r', expires_in: 300 };
      const visitor = await signedIn();
      fake.failure = { status: 400, error: 'invalid_grant' };
      forward(250);
      expect((await visitor.visit('/')).status).to.equal(200);
      forward(301);
      expect((await visitor.visit('/')).status).to.equal(302);
      expect(visitor.cookies.has('sluice_session')).to.equal(false);
    });

    const refreshed: readonly (readonly [string, JsonObject, number])[] = [
      ['the same user and groups', { sub: 'ada', groups: ['staff'] }, 200],
      ['the user without groups', { sub: 'ada' }, 403],
      ['another user', { sub: 'eve', groups: ['staff'] }, 302],
    ];
    for (const [title, claims, status] of refreshed)
      // Attack in docs/security.md: A user who was blocked or removed from a group; a refresh that returns a different user.
      it(`oidc returns ${status} after a refresh that returns ${title}`, async () => {
        const tokens = { refresh_token: 'r', expires_in: 300 };
        fake.tokens = tokens;
        fake.claims = { groups: ['staff'] };
        const visitor = await signedIn({ allowed_groups: ['staff'] });
        fake.tokens = { ...tokens, id_token: await tokenFor(fake, claims) };
        forward(299);
        expect((await visitor.visit('/')).status).to.equal(status);
      });
  });
});

/** Returns an ID token issued by the provider, with the given claims replaced. */
async function tokenFor(fake: FakeProvider, claims: JsonObject): Promise<string> {
  const before = fake.claims;
  fake.claims = { ...claims, nonce: undefined };
  const body = new URLSearchParams({ grant_type: 'authorization_code', code: 'x' });
  const response = await fetch(`${fake.issuer}/token`, { method: 'POST', body });
  fake.claims = before;
  return ((await response.json()) as { id_token: string }).id_token;
}
