import { expect } from 'chai';
import type { PeerCertificate } from 'node:tls';
import { identityCheck } from '../../src/proxy/dial/identity-check.ts';

const certificate = (subjectaltname: string): PeerCertificate =>
  ({ subject: { CN: '' }, subjectaltname }) as unknown as PeerCertificate;

describe('identityCheck', () => {
  const isAccepted = (names: readonly string[], subject: string): boolean =>
    identityCheck(names)('other.test', certificate(subject)) === undefined;

  it('identityCheck accepts a certificate with any of the expected names, regardless of the requested name', () => {
    const subject = 'DNS:a.test, DNS:*.b.test, URI:spiffe://a.test/app';
    expect(isAccepted(['x.test', 'a.test'], subject)).to.equal(true);
    expect(isAccepted(['c.b.test'], subject)).to.equal(true);
    expect(isAccepted(['spiffe://a.test/app'], subject)).to.equal(true);
    expect(isAccepted(['other.test', 'spiffe://a.test/other'], subject)).to.equal(false);
  });

  // CVE-2021-44532: a value that contains a separator must not be parsed as several entries.
  it('identityCheck does not accept a URI inside another value', () => {
    const subject = String.raw`URI:"http://x, URI:spiffe://a.test/app, y", DNS:b.test`;
    expect(isAccepted(['spiffe://a.test/app'], subject)).to.equal(false);
    expect(isAccepted(['b.test'], subject)).to.equal(true);
  });
});
