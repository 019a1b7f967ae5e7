import { expect } from 'chai';
import { checkedCertificates } from '@sluice/contracts';
import { sampleCertificate } from './sample-certificate.ts';

const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

describe('checkedCertificates', () => {
  it('checkedCertificates returns each valid certificate', () => {
    expect(checkedCertificates(sampleCertificate, 'a.pem')).to.deep.equal([sampleCertificate]);
    expect(checkedCertificates(`${sampleCertificate}\n# and\n${sampleCertificate}`, 'a.pem')).to.deep.equal([
      sampleCertificate,
      sampleCertificate,
    ]);
  });

  const refused: [what: string, text: string, message: string | RegExp][] = [
    ['a string without certificates', 'nothing here', 'a.pem: contains no PEM certificate'],
    [
      'a truncated certificate',
      sampleCertificate + sampleCertificate.slice(0, 200),
      'a.pem: certificate 2 is truncated',
    ],
    ['an unreadable first certificate', broken + sampleCertificate, /^a\.pem: cannot read certificate 1: ./],
    ['an unreadable second certificate', sampleCertificate + broken, /^a\.pem: cannot read certificate 2: ./],
  ];
  for (const [what, text, message] of refused) {
    it(`checkedCertificates rejects ${what}`, () => {
      expect(() => checkedCertificates(text, 'a.pem')).to.throw(Error, message);
    });
  }
});
