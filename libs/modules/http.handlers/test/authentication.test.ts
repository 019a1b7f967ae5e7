import { expect } from 'chai';
import type { JsonObject } from '@sluice/registry';
import { register as registerHashes } from '@sluice/http.authentication.hashes';
import { register as registerProviders } from '@sluice/http.authentication.providers';
import { register } from '@sluice/http.handlers';
import { request, serve, withRoutes, type TestResponse } from '@sluice/testing';

const options = { register: [register, registerProviders, registerHashes] };
/** Of the password `open sesame`, made by the reference server's own command for hashes. */
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

  it('lets a known user pass and says who it is', async () => {
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
    it(`answers 401 with a challenge for ${authorization}`, async () => {
      const response = await ask(authorization, { realm: 'r' });
      expect(response).to.include({ status: 401, text: '' });
      expect(response.headers.get('www-authenticate')).to.equal('Basic realm="r"');
    });
  }

  it('hashes a password once where it may keep verdicts', async () => {
    const server = await serve(config({ hash_cache: {} }), options);
    const headers = { Authorization: basic('bob:open sesame') };
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await server.request({ headers })).status);
    statuses.push((await server.request({ headers: { Authorization: basic('bob:other') } })).status);
    await server.close();
    expect(statuses).to.deep.equal([200, 200, 200, 401]);
  });

  const wrong: readonly [accounts: JsonObject[], message: RegExp][] = [
    [[{ username: 'a', password: 'plain' }], /accounts\[0\]\.password: must be a hash/],
    [[{ username: 'a' }], /accounts\[0\]: an account needs/],
    [
      [
        { username: 'a', password: hash },
        { username: 'a', password: hash },
      ],
      /accounts\[1\]\.username: there is an account/,
    ],
  ];
  for (const [accounts, message] of wrong) {
    it(`refuses ${JSON.stringify(accounts).slice(0, 60)}`, async () => {
      expect(await serve(config({ accounts }), options).then(() => null, String)).to.match(message);
    });
  }
});
