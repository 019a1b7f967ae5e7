import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import {
  bindExternalAccount,
  jwkOf,
  Nonces,
  parseMessage,
  readJwk,
  reverseName,
  signMessage,
  thumbprint,
  verifyHmac,
  verifyMessage,
} from '@sluice/acme';
import { expect } from 'chai';

describe('ACME messages and their signatures', () => {
  const keys = {
    'P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    'P-384': generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
    Ed25519: generateKeyPairSync('ed25519').privateKey,
    RSA: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  };
  for (const [name, key] of Object.entries(keys))
    it(`verifyMessage accepts a message only with the key that signed it: ${name}`, () => {
      const message = signMessage(key, { jwk: jwkOf(key) }, { url: 'https://ca.test/', nonce: 'n' }, { a: 1 });
      const parsed = parseMessage(JSON.parse(JSON.stringify(message)));
      expect(parsed.payload.toString()).to.equal('{"a":1}');
      verifyMessage(parsed, readJwk(parsed.header.jwk).key);
      const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      expect(() => verifyMessage(parsed, publicKey)).to.throw();
    });

  it('readJwk rejects weak keys', () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    expect(() => readJwk(publicKey.export({ format: 'jwk' }))).to.throw('badPublicKey');
  });

  it('bindExternalAccount binds an account to the key from the CA', () => {
    const secret = Buffer.from('secret');
    const parsed = parseMessage(bindExternalAccount(keys['P-256'], 'kid-1', secret, 'https://ca.test/new'));
    expect(parsed.header).to.deep.equal({ alg: 'HS256', kid: 'kid-1', url: 'https://ca.test/new' });
    expect(verifyHmac(parsed, secret)).to.equal(true);
    expect(verifyHmac(parsed, Buffer.from('other'))).to.equal(false);
    expect(JSON.parse(parsed.payload.toString())).to.deep.equal(jwkOf(createPublicKey(keys['P-256'])));
  });

  it('thumbprint returns the key thumbprint given in RFC 7638 §3.1', () => {
    const n =
      '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
    expect(thumbprint({ kty: 'RSA', n, e: 'AQAB' })).to.equal('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
  });
});

describe('Nonces', () => {
  it('Nonces accepts each nonce only once, and only within an hour after it was issued', () => {
    const nonces = new Nonces();
    const nonce = nonces.make(0);
    expect(new Nonces().take(nonce, 0)).to.equal(false);
    expect(nonces.take(nonce, 1)).to.equal(true);
    expect(nonces.take(nonce, 2)).to.equal(false);
    expect(nonces.take(nonces.make(0), 3_600_000)).to.equal(false);
    const late = nonces.make(3_599_000);
    expect(nonces.take(late, 3_600_001)).to.equal(true);
    expect(nonces.take(late, 7_000_000)).to.equal(false);
    for (const wrong of ['', 'x', `${nonce}A`, nonce.slice(1)]) expect(nonces.take(wrong, 0)).to.equal(false);
  });
});

describe('reverseName', () => {
  it('reverseName returns reverse DNS names as defined in RFC 8738 §6', () => {
    expect(reverseName('192.0.2.1')).to.equal('1.2.0.192.in-addr.arpa');
    expect(reverseName('2001:db8::1')).to.equal(`1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`);
  });
});
