import { expect } from 'chai';
import { checkedCertificates } from '@sluice/contracts';
import { sampleCertificate } from './sample-certificate.ts';

const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

describe('checkedCertificates', () => {
  it('gives each certificate that can be read', () => {
    expect(checkedCertificates(sampleCertificate, 'a.pem')).to.deep.equal([sampleCertificate]);
    expect(checkedCertificates(`${sampleCertificate}\n# and\n${sampleCertificate}`, 'a.pem')).to.deep.equal([
      sampleCertificate,
      sampleCertificate,
    ]);
  });

  const refused: [what: string, text: string, message: string | RegExp][] = [
    ['a text without any', 'nothing here', 'a.pem: there is no PEM certificate in it'],
    [
      'one that is only half written',
      sampleCertificate + sampleCertificate.slice(0, 200),
      'a.pem: it ends within certificate 2',
    ],
    ['the first, where it can not be read', broken + sampleCertificate, /^a\.pem: certificate 1 can not be read: ./],
    ['the second, where it can not be read', sampleCertificate + broken, /^a\.pem: certificate 2 can not be read: ./],
  ];
  for (const [what, text, message] of refused) {
    it(`refuses ${what}`, () => {
      expect(() => checkedCertificates(text, 'a.pem')).to.throw(Error, message);
    });
  }
});
