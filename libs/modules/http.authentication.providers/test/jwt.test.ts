import { createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import type { JsonObject } from '@sluice/base';
import { register } from '@sluice/http.authentication.providers';
import { register as handlers } from '@sluice/http.handlers';
import { serve, withRoutes, type TestRequest, type TestResponse, type TestServer } from '@sluice/testing';

const secret = createSecretKey(Buffer.from('0123456789abcdef0123456789abcdef'));
const secretText = secret.export().toString('base64');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const pemOf = ({ publicKey }: { publicKey: KeyObject }): string =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString();

const now = Math.floor(Date.now() / 1000);
const claims = { sub: 'ada', iss: 'https://id.example', aud: ['api', 'web'], exp: now + 3600 };

function tokenOf(
  payload: JWTPayload = claims,
  key: KeyObject = secret,
  header: { alg: string; kid?: string } = { alg: 'HS256' },
): Promise<string> {
  return new SignJWT(payload).setProtectedHeader(header).sign(key);
}

/** Serves a route that requires a token. The route responds with the user name. */
function served(options: JsonObject, body = '{http.auth.user.id}'): Promise<TestServer> {
  const handle = [
    { handler: 'authentication', providers: { jwt: options } },
    { handler: 'static_response', body },
  ];
  return serve(withRoutes([{ handle }]), { register: [register, handlers] });
}

/** Starts a server and sends one request. */
async function ask(options: JsonObject, what: TestRequest, body?: string): Promise<TestResponse> {
  const server = await served(options, body);
  try {
    return await server.request(what);
  } finally {
    await server.close();
  }
}

const bearer = (token: string): TestRequest => ({ headers: { Authorization: `Bearer ${token}` } });

describe('http.authentication.providers.jwt', () => {
  for (const [alg, key, text] of [
    ['HS256', secret, secretText],
    ['HS512', secret, secretText],
    ['RS256', rsa.privateKey, pemOf(rsa)],
    ['PS384', rsa.privateKey, pemOf(rsa)],
    ['ES256', ec.privateKey, pemOf(ec)],
    ['EdDSA', ed.privateKey, pemOf(ed)],
  ] as const) {
    it(`jwt accepts a token signed with ${alg}`, async () => {
      const response = await ask({ sign_key: text }, bearer(await tokenOf(claims, key, { alg })));
      expect(response).to.include({ status: 200, text: 'ada' });
    });

    it(`jwt rejects a token signed with ${alg} by another key`, async () => {
      const other = alg.startsWith('HS')
        ? Buffer.alloc(32, 1).toString('base64')
        : pemOf(generateKeyPairSync('ed25519'));
      const response = await ask({ sign_key: other }, bearer(await tokenOf(claims, key, { alg })));
      expect(response.status).to.equal(401);
      expect(response.headers.get('www-authenticate')).to.equal('Bearer error="invalid_token"');
    });
  }

  it('jwt accepts no algorithm other than sign_alg', async () => {
    const token = await tokenOf(claims, secret, { alg: 'HS512' });
    expect((await ask({ sign_key: secretText, sign_alg: 'HS512' }, bearer(token))).status).to.equal(200);
    expect((await ask({ sign_key: secretText, sign_alg: 'HS256' }, bearer(token))).status).to.equal(401);
  });

  it('jwt rejects unsigned tokens, and tokens signed with a public key used as the secret', async () => {
    const confused = await tokenOf(claims, createSecretKey(Buffer.from(pemOf(rsa))));
    expect((await ask({ sign_key: pemOf(rsa) }, bearer(confused))).status).to.equal(401);
    expect((await ask({ sign_key: secretText }, bearer(new UnsecuredJWT(claims).encode()))).status).to.equal(401);
  });

  for (const [title, change, options, status] of [
    ['has expired', { exp: now - 1 }, {}, 401],
    ['never expires', { exp: undefined }, {}, 200],
    ['is not valid yet', { nbf: now + 3600 }, {}, 401],
    ['was issued in the future', { iat: now + 3600 }, {}, 401],
    ['has a string as its expiry', { exp: 'never' }, {}, 401],
    ['has no subject', { sub: undefined }, {}, 401],
    ['has an empty subject', { sub: '' }, {}, 401],
    ['has an object as its subject', { sub: { id: 1 } }, {}, 401],
    ['has an accepted issuer', {}, { issuer_whitelist: ['other', 'https://id.example'] }, 200],
    ['has another issuer', {}, { issuer_whitelist: ['other'] }, 401],
    ['has no issuer', { iss: undefined }, { issuer_whitelist: ['https://id.example'] }, 401],
    ['has an accepted audience', {}, { audience_whitelist: ['web'] }, 200],
    ['has an accepted audience as a string', { aud: 'web' }, { audience_whitelist: ['web'] }, 200],
    ['has another audience', {}, { audience_whitelist: ['other'] }, 401],
  ] as const)
    it(`jwt returns ${status} for a token that ${title}, with or without signature verification`, async () => {
      const token = await tokenOf({ ...claims, ...change } as unknown as JWTPayload);
      expect((await ask({ sign_key: secretText, ...options }, bearer(token))).status).to.equal(status);
      expect((await ask({ skip_verification: true, ...options }, bearer(token))).status).to.equal(status);
    });

  it('jwt uses the first valid token among query parameters, header fields and cookies, in this order', async () => {
    const options = { sign_key: secretText, from_query: ['t'], from_header: ['X-Token'], from_cookies: ['c'] };
    const [one, two, three, four] = await Promise.all(
      ['one', 'two', 'three', 'four'].map((sub) => tokenOf({ ...claims, sub })),
    );
    const headers = { 'X-Token': `${two}`, Authorization: `bearer  ${three}`, Cookie: `c=${four}` };
    const all = { path: `/?t=${one}`, headers };
    expect((await ask(options, all)).text).to.equal('one');
    expect((await ask(options, { ...all, path: '/?t=x.y.z' })).text).to.equal('two');
    expect((await ask(options, { headers: { ...headers, 'X-Token': '' } })).text).to.equal('three');
    expect((await ask(options, { headers: { Cookie: `c=${four}` } })).text).to.equal('four');
    const none = await ask(options, {});
    expect(none.status).to.equal(401);
    expect(none.headers.get('www-authenticate')).to.equal('Bearer');
  });

  it('jwt uses the first user claim that is present, and exposes other claims as placeholders', async () => {
    const payload = {
      exp: now + 3600,
      uid: 42,
      admin: true,
      plan: { name: 'pro' },
      'a.b': 'dotted',
      list: ['x', 1],
      aud: 'z',
    };
    const options = {
      sign_key: secretText,
      user_claims: ['name', 'uid'],
      meta_claims: {
        admin: 'admin',
        'plan.name': 'plan',
        'a.b': 'ab',
        list: 'list',
        aud: 'aud',
        none: 'none',
        plan: 'all',
      },
    };
    const names = ['id', 'admin', 'plan', 'ab', 'list', 'aud', 'none', 'all'];
    const body = names.map((name) => `{http.auth.user.${name}}`).join('|');
    const response = await ask(options, bearer(await tokenOf(payload)), body);
    expect(response.text).to.equal('42|true|pro|dotted|x,1|z||');
  });

  for (const [options, message] of [
    [{}, 'requires sign_key or jwk_url'],
    [{ sign_key: '!' }, 'sign_key: must be a base64-encoded secret, or a public key in PEM format'],
    [{ sign_key: '-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----' }, 'sign_key: is not a valid public key'],
    [{ sign_key: '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----' }, 'sign_key: is a private key'],
    [{ sign_key: secretText, sign_alg: 'none' }, 'sign_alg: unsupported algorithm'],
    [{ sign_key: secretText, sign_alg: 'RS256' }, 'sign_alg: RS256 cannot be used with the key'],
    [{ jwk_url: 'keys' }, 'jwk_url: must be an absolute HTTP or HTTPS URL'],
    [{ sign_key: secretText, meta_claims: { a: '' } }, 'meta_claims.a: requires a claim name'],
  ] as const)
    it(`jwt rejects the options ${JSON.stringify(options).replace(secretText, '…')}`, async () => {
      const error = await ask(options, {}).then(
        () => null,
        (caught: unknown) => caught,
      );
      expect(String(error)).to.contain(message).and.not.contain(secretText);
    });

  describe('http.authentication.providers.jwt with a key set', () => {
    let server: Server;
    let url: string;
    let fetches = 0;
    let status = 200;
    before(async () => {
      const keys = [
        { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', alg: 'RS256' },
        { ...ec.publicKey.export({ format: 'jwk' }), kid: 'ec' },
      ];
      server = createServer((_, response) => {
        fetches++;
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(() => server?.close());

    it('jwt fetches the key set once, and finds keys by ID', async () => {
      const own = await served({ jwk_url: `${url}/keys` });
      const tokens = [
        [await tokenOf(claims, rsa.privateKey, { alg: 'RS256', kid: 'rsa' }), 200],
        [await tokenOf(claims, ec.privateKey, { alg: 'ES256', kid: 'ec' }), 200],
        [await tokenOf(claims, ec.privateKey, { alg: 'ES256' }), 200],
        [await tokenOf(claims, rsa.privateKey, { alg: 'RS256', kid: 'ec' }), 401],
        [await tokenOf(claims, rsa.privateKey, { alg: 'PS256', kid: 'rsa' }), 401],
        [await tokenOf(claims, rsa.privateKey, { alg: 'RS256', kid: 'unknown' }), 401],
        [await tokenOf(), 401],
      ] as const;
      for (const [token, expected] of tokens) expect((await own.request(bearer(token))).status).to.equal(expected);
      await own.close();
      expect(fetches).to.equal(1);
    });

    it('jwt returns 401 while the key set is unavailable, and retries fetching the key set', async () => {
      const own = await served({ jwk_url: `${url}/failing` });
      const token = bearer(await tokenOf(claims, ec.privateKey, { alg: 'ES256', kid: 'ec' }));
      status = 503;
      expect((await own.request(token)).status).to.equal(401);
      status = 200;
      expect((await own.request(token)).status).to.equal(200);
      await own.close();
    });
  });
});
