import { expect } from 'chai';
import { passwordHashes, type PasswordHash } from '@sluice/http-app';
import { defineModule, options as optionsOf, type Registry } from '@sluice/registry';
import type { JsonObject } from '@sluice/base';
import { register as registerHashes } from '@sluice/http.authentication.hashes';
import { register as registerProviders } from '@sluice/http.authentication.providers';
import { register } from '@sluice/http.handlers';
import { request, serve, withRoutes, type TestResponse, type TestServer } from '@sluice/testing';

const options = { register: [register, registerProviders, registerHashes] };
/** bcrypt hash of the password `open sesame`, created by `caddy hash-password`. */
const hash = '$2a$05$8Xmt0JIh7FjjWgZvf7IBhubI.s2jyq6kKyIRyruhtXpdtJVDW4/yG';

describe('http.handlers.authentication', () => {
  const config = (basic: JsonObject = {}): JsonObject =>
    withRoutes([
      {
        handle: [
          {
            handler: 'authentication',
            providers: {
              http_basic: { accounts: [{ username: 'bob', password: Buffer.from(hash).toString('base64') }], ...basic },
            },
          },
          { handler: 'static_response', body: 'hi {http.auth.user.id}' },
        ],
      },
    ]) as JsonObject;
  const ask = (authorization: string | null, basic: JsonObject = {}): Promise<TestResponse> =>
    request(config(basic), { headers: authorization === null ? {} : { Authorization: authorization } }, options);
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

  it('http_basic admits a known user and sets the user placeholder', async () => {
    expect(await ask(basic('bob:open sesame'))).to.include({ status: 200, text: 'hi bob' });
    expect(await ask(basic('bob:open sesame').replace('Basic', 'bAsIc'))).to.include({ status: 200 });
  });

  const refused: readonly (string | null)[] = [
    null,
    'Bearer x',
    'Basic',
    'Basic !!',
    basic('bob:wrong'),
    basic('eve:open sesame'),
    basic('bob'),
    basic(':'),
    `Basic  ${Buffer.from('bob:open sesame').toString('base64')}`,
  ];
  for (const authorization of refused) {
    it(`http_basic returns 401 with a challenge for ${authorization}`, async () => {
      const response = await ask(authorization, { realm: 'r' });
      expect(response).to.include({ status: 401, text: '' });
      expect(response.headers.get('www-authenticate')).to.equal('Basic realm="r"');
    });
  }

  it('http_basic hashes a password once if the hash cache is enabled', async () => {
    const server = await serve(config({ hash_cache: {} }), options);
    const headers = { Authorization: basic('bob:open sesame') };
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await server.request({ headers })).status);
    statuses.push((await server.request({ headers: { Authorization: basic('bob:other') } })).status);
    await server.close();
    expect(statuses).to.deep.equal([200, 200, 200, 401]);
  });

  it('http_basic does not cache passwords if the hash cache is disabled', async () => {
    const { server, asked } = await serveCounted({});
    for (let i = 0; i < 2; i++) await server.request({ headers: { Authorization: basic('bob:right') } });
    await server.close();
    expect(asked).to.deep.equal(['$stored', '$stored']);
  });

  it('http_basic caches accepted and rejected passwords, separately for each hash and password', async () => {
    const { server, asked } = await serveCounted({ hash_cache: {} });
    const statuses = [];
    for (const text of ['bob:right', 'bob:wrong', 'eve:right', 'bob:right', 'bob:wrong', 'eve:right'])
      statuses.push((await server.request({ headers: { Authorization: basic(text) } })).status);
    await server.close();
    expect(statuses).to.deep.equal([200, 401, 401, 200, 401, 401]);
    expect(asked).to.deep.equal(['$stored', '$stored', '$decoy like $stored']);
  });

  // Attack in docs/security.md: Timing differences between unknown users and wrong passwords.
  it('http_basic verifies the password of an unknown user against an equally expensive hash', async () => {
    const { server, asked } = await serveCounted({});
    expect(await server.request({ headers: { Authorization: basic('eve:right') } })).to.include({ status: 401 });
    await server.close();
    expect(asked).to.deep.equal(['$decoy like $stored']);
  });

  it('http_basic rejects the password of the decoy hash', async () => {
    const { server } = await serveCounted({}, true);
    expect(await server.request({ headers: { Authorization: basic('eve:right') } })).to.include({ status: 401 });
    await server.close();
  });

  for (const [algorithm, stored] of [
    ['bcrypt', hash.replace('$05$', '$10$')],
    ['argon2id', '$argon2id$v=19$m=47104,t=1,p=1$UxZUlr4yswnchb68F/HrAQ$y0vY3zaITyw7Su1IvT4NQ7kODPbdE1uY7XGUHpDbRto'],
  ] as const) {
    it(`http_basic does not block the event loop while hashing (${algorithm})`, async () => {
      const accounts = [{ username: 'bob', password: stored }];
      const server = await serve(config({ hash: { algorithm }, accounts }), options);
      let turns = 0;
      let done = false;
      const count = (): void => {
        turns++;
        if (!done) setImmediate(count);
      };
      setImmediate(count);
      await server.request({ headers: { Authorization: basic('bob:nonsense') } });
      done = true;
      await server.close();
      expect(turns).to.be.greaterThan(20);
    });
  }

  it('http_basic expands global placeholders in user names, but not request placeholders', async () => {
    process.env['SLUICE_TEST_USER'] = 'ann';
    const accounts = ['{env.SLUICE_TEST_USER}', '{http.request.host}'].map((username) => ({
      username,
      password: hash,
    }));
    const server = await serve(config({ accounts }), options);
    const statuses = [];
    for (const name of ['ann', 'localhost', '{http.request.host}']) {
      const headers = { Authorization: basic(`${name}:open sesame`) };
      statuses.push((await server.request({ host: 'localhost', headers })).status);
    }
    await server.close();
    delete process.env['SLUICE_TEST_USER'];
    expect(statuses).to.deep.equal([200, 401, 200]);
  });

  /** Serves one account and counts how often its hash is checked. `right` is the correct password. The decoy hash matches only if requested. */
  async function serveCounted(
    basicOptions: JsonObject,
    decoyFits = false,
  ): Promise<{ server: TestServer; asked: string[] }> {
    const asked: string[] = [];
    const countedModule = defineModule(passwordHashes, {
      name: 'counted',
      help: 'Notes what it is asked.',
      config: optionsOf({}),
      provision: (): PasswordHash => ({
        decoy: (like) => `$decoy like ${like}`,
        verify: async (stored, password) => {
          asked.push(stored);
          return password === 'right' && (decoyFits || stored === '$stored');
        },
      }),
    });
    const accounts = [{ username: 'bob', password: '$stored' }];
    const server = await serve(config({ hash: { algorithm: 'counted' }, accounts, ...basicOptions }), {
      register: [...options.register, (registry: Registry) => void registry.add(countedModule)],
    });
    return { server, asked };
  }

  const wrong: readonly [accounts: JsonObject[], message: RegExp][] = [
    [[{ username: 'a', password: 'plain' }], /accounts\[0\]\.password: must be a password hash/],
    [[{ username: 'a' }], /accounts\[0\]: account requires/],
    [
      [
        { username: 'a', password: hash },
        { username: 'a', password: hash },
      ],
      /accounts\[1\]\.username: duplicate account/,
    ],
  ];
  for (const [accounts, message] of wrong) {
    it(`http_basic rejects ${JSON.stringify(accounts).slice(0, 60)}`, async () => {
      expect(await serve(config({ accounts }), options).then(() => null, String)).to.match(message);
    });
  }
});
