import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { pemCertificates, pemPrivateKey } from '@sluice/contracts';
import { sampleCertificate } from './sample-certificate.ts';

const key = (type: 'pkcs8' | 'sec1'): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type, format: 'pem' }).toString();

describe('pemCertificates and pemPrivateKey', () => {
  it('pemCertificates and pemPrivateKey find blocks within other text', () => {
    const other = sampleCertificate.replace('MIIB', 'MIIC');
    const text = `# a comment\n${sampleCertificate}${key('pkcs8')}Subject: x\r\n${other.trimEnd()}`;
    expect(pemCertificates(text)).to.deep.equal([sampleCertificate, other]);
  });

  it('pemCertificates returns an empty list if the text contains no certificates', () => {
    expect(pemCertificates('')).to.deep.equal([]);
    expect(pemCertificates(key('pkcs8'))).to.deep.equal([]);
    expect(pemCertificates(sampleCertificate.slice(0, -5))).to.deep.equal([]);
  });

  it('pemPrivateKey returns the first private key of any type', () => {
    for (const type of ['pkcs8', 'sec1'] as const) {
      const first = key(type);
      expect(pemPrivateKey(`${sampleCertificate}${first}${key('pkcs8')}`)).to.equal(first);
    }
    const encrypted = '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----\n';
    expect(pemPrivateKey(encrypted)).to.equal(encrypted);
  });

  it('pemPrivateKey returns null if the text does not contain a complete private key', () => {
    expect(pemPrivateKey(sampleCertificate)).to.equal(null);
    expect(pemPrivateKey(key('sec1').slice(0, -10))).to.equal(null);
    expect(pemPrivateKey('-----BEGIN PRIVATE KEY-----\nAA==\n-----END EC PRIVATE KEY-----\n')).to.equal(null);
  });
});
