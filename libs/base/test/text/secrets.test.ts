import { expect } from 'chai';
import { isSecretField, isSecretName, isSecretOfRequest, redacted, redactedQuery, redactedText } from '@sluice/base';
import * as entry from '@sluice/base/secrets';

/** Names of module options. */
const options = [
  ...['password', 'passwd', 'passphrase', 'db-password', 'client_secret', 'secretAccessKey', 'secret_key', 'api_token'],
  ...['token', 'auth_token', 'api_key', 'apikey', 'private_key', 'access_key', 'access-key', 'mac_key', 'credential'],
  ...['credentials', 'bearer', 'hmac', 'dsn', 'smtp.auth', 'proxy_auth', 'backend-dsn', 'cookie_secrets'],
];

const fields = ['Authorization', 'Proxy-Authorization', 'Cookie', 'Set-Cookie', 'X-Api-Key', 'X-Auth-Token'];

const ordinary = ['key', 'key_id', 'name', 'username', 'author', 'authority', 'pattern', 'host', 'keys', 'passive'];

describe('secrets.ts', () => {
  it('isSecretName and isSecretField recognize secret options and header fields', () => {
    for (const name of options) expect([name, isSecretName(name)]).to.deep.equal([name, true]);
    for (const name of [...options, ...fields]) expect([name, isSecretField(name)]).to.deep.equal([name, true]);
    for (const name of ordinary)
      expect([name, isSecretField(name), isSecretName(name)]).to.deep.equal([name, false, false]);
  });

  it('isSecretOfRequest recognizes additional names in requests', () => {
    for (const name of ['session', 'code', 'state', 'key', 'X-Csrf-Token', ...options, ...fields])
      expect([name, isSecretOfRequest(name)]).to.deep.equal([name, true]);
    for (const name of ['page', 'q', 'name']) expect([name, isSecretOfRequest(name)]).to.deep.equal([name, false]);
  });

  it('redactedQuery and redactedText remove secrets, even if names are escaped', () => {
    expect(redactedQuery('a=1&%74oken=x&mac_key=y&b')).to.equal(`a=1&%74oken=${redacted}&mac_key=${redacted}&b`);
    expect(redactedText('to https://user:x@example.com/a?token=x#code=x and back')).to.equal(
      `to https://${redacted}@example.com/a?token=${redacted}#code=${redacted} and back`,
    );
  });

  it('secrets.ts is a separate entry point without Node dependencies', () => {
    expect(entry.isSecretField).to.equal(isSecretField);
  });
});
