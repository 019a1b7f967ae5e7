import { expect } from 'chai';
import { isSecretField } from '@sluice/base';
import { isEqual, type Json } from '../../src/page/base/json.ts';
import { curlOf } from '../../src/page/api/curl.ts';
import { pointerOf } from '../../src/page/base/paths.ts';
import {
  hidden,
  seal,
  unseal,
  withoutSecrets,
  withoutSecretsIn,
  withoutSecretsOf,
} from '../../src/page/base/secrets.ts';
import { rowsOf, summaryOf } from '../../src/page/base/tree.ts';

/** A document with twenty secrets at positions where configurations may contain secrets. */
const planted = (secret: (number: number) => string): Json => ({
  admin: { identity: { issuers: [{ module: 'acme', external_account: { key_id: 'id', mac_key: secret(1) } }] } },
  storage: { module: 'redis', password: secret(2), username: 'u' },
  apps: {
    tls: {
      automation: {
        policies: [
          { issuers: [{ challenges: { dns: { provider: { name: 'a', api_token: secret(3), api_key: secret(4) } } } }] },
          {
            issuers: [
              { api_key: secret(5), auth_token: secret(6), secret_access_key: secret(7), access_key: secret(8) },
            ],
          },
        ],
      },
      certificates: { load_pem: [{ private_key: secret(9), passphrase: secret(10) }] },
    },
    http: {
      servers: {
        s: {
          routes: [
            {
              handle: [
                {
                  handler: 'headers',
                  request: { set: { Authorization: [secret(11)], Cookie: [secret(12)], 'X-Api-Key': [secret(13)] } },
                },
                {
                  handler: 'authentication',
                  providers: { http_basic: { accounts: [{ username: 'u', password: secret(14) }] } },
                },
                {
                  handler: 'x',
                  client_secret: secret(15),
                  token: secret(16),
                  secret: secret(17),
                  credential: secret(18),
                  dsn: secret(19),
                },
                { handler: 'x', 'db-password': secret(20) },
              ],
            },
          ],
        },
      },
    },
  },
});

describe('dashboard.base.secrets', () => {
  const document = planted((number) => `planted-${number}-secret`);

  it('secrets are masked in diffs', () => {
    const text = JSON.stringify(withoutSecrets(document));
    expect(text).to.not.contain('planted-');
    expect(text.split(hidden).length - 1).to.equal(20);
    expect(
      isEqual(
        withoutSecrets(document),
        planted(() => hidden),
      ),
    ).to.equal(true);
  });

  it('secrets are masked in the configuration tree', () => {
    const every = new Set(pointersOf(document));
    const rows = rowsOf(document, every);
    expect(rows.length).to.be.above(40);
    for (const { value, path } of rows) expect(summaryOf(value, path)).to.not.contain('planted-');
  });

  it('secrets are masked in copied patches, commands and derived text', () => {
    const patch = [
      { op: 'add', path: '/apps/x', value: document },
      { op: 'replace', path: '/storage/password', value: 'planted-21-secret' },
      { op: 'remove', path: '/storage' },
    ] as const;
    expect(JSON.stringify(withoutSecretsIn(patch))).to.not.contain('planted-');
    const call = { method: 'POST', path: '/x', template: '/x' };
    const command = { origin: 'http://localhost', hasToken: true };
    const type = { headers: { 'Content-Type': 'application/json-patch+json' } };
    const text = JSON.stringify(patch);
    expect(curlOf({ ...call, json: document }, command))
      .to.contain(hidden)
      .and.not.contain('planted-');
    expect(curlOf({ ...call, ...type, text }, command))
      .to.contain(hidden)
      .and.not.contain('planted-');
    expect(curlOf({ ...call, json: { title: 'a change', patch } }, command))
      .to.contain('a change')
      .and.contain(hidden)
      .and.not.contain('planted-');
    expect(withoutSecretsOf(document, JSON.stringify(document))).to.not.contain('planted-');
  });

  it('seal replaces secrets with numbers in text, and unseal restores the secrets at their new positions', () => {
    const { value, secrets } = seal(document, []);
    expect(secrets.length).to.equal(20);
    expect(JSON.stringify(value)).to.not.contain('planted-');
    expect(isEqual(unseal(value, secrets), document)).to.equal(true);
    const accounts: Json = [
      { username: 'a', password: 'of a' },
      { username: 'b', password: 'of b' },
    ];
    const sealed = seal(accounts, []);
    const [, last] = sealed.value as readonly Json[];
    expect(unseal([last as Json], sealed.secrets)).to.deep.equal([{ username: 'b', password: 'of b' }]);
    expect(() => unseal({ password: `${hidden} 3` }, sealed.secrets)).to.throw('does not match a hidden secret');
  });

  it('withoutSecrets returns the same object for a value without secrets', () => {
    const plain: Json = { handler: 'static_response', body: 'token', key: 'x', headers: { A: ['b'] } };
    expect(withoutSecrets(plain)).to.equal(plain);
  });

  it('the dashboard masks exactly the secrets that the server masks', () => {
    const names = ['Authorization', 'X-Csrf-Token', 'passwd', 'client_secret', 'tokens', 'credentials_of_users'];
    for (const name of [
      ...names,
      'access_key',
      'mac_key',
      'dsn',
      'smtp.auth',
      'key',
      'username',
      'authority',
      'body',
    ]) {
      const shown = isSecretField(name) ? hidden : 'planted';
      expect(withoutSecrets({ [name]: ['planted'] }), name).to.deep.equal({ [name]: [shown] });
      expect(summaryOf('planted', [name]), name).to.equal(isSecretField(name) ? hidden : '"planted"');
    }
    for (const name of names) expect(isSecretField(name), name).to.equal(true);
  });

  it('booleans are never masked as secrets', () => {
    expect(summaryOf(true, ['should_log_credentials'])).to.equal('true');
    expect(summaryOf(1, ['token'])).to.equal(hidden);
  });
});

function pointersOf(value: Json, start = ''): string[] {
  if (typeof value !== 'object' || value === null) return [start];
  return [start, ...Object.entries(value).flatMap(([key, item]) => pointersOf(item, start + pointerOf([key])))];
}
