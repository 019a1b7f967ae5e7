import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { throwAwayCertificate } from '@sluice/testing';

describe('throwAwayCertificate', () => {
  it('throwAwayCertificate returns a certificate that is valid for names and addresses and is its own CA', async () => {
    const { cert, key } = await throwAwayCertificate(['a.test', '*.b.test', '127.0.0.1', '::1']);
    const certificate = new X509Certificate(cert);
    expect(certificate.subjectAltName).to.equal(
      'DNS:a.test, DNS:*.b.test, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    );
    expect(certificate.checkPrivateKey(createPrivateKey(key))).to.equal(true);
    expect([certificate.ca, certificate.checkIssued(certificate)]).to.deep.equal([true, true]);
  });

  it('throwAwayCertificate creates a different certificate each time', async () => {
    const [one, two] = await Promise.all([throwAwayCertificate(['a.test']), throwAwayCertificate(['a.test'])]);
    expect(one.key).not.to.equal(two.key);
  });
});
