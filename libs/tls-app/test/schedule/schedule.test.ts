import fc from 'fast-check';
import { expect } from 'chai';
import { boundedRenewal, isTooEarly } from '../../src/schedule/schedule.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('boundedRenewal', () => {
  it('boundedRenewal keeps a suggestion within the bounds', () => {
    const life = { notBefore: 0, notAfter: 90 * 24 * hour, ratio: 1 / 3 };
    expect(boundedRenewal(60 * 24 * hour, hour, life)).to.equal(60 * 24 * hour);
    expect(boundedRenewal(0, hour, life)).to.equal(hour);
  });

  it('boundedRenewal leaves half of the renewal window for a certificate with a lifetime of less than an hour', () => {
    const life = { notBefore: 0, notAfter: 30 * minute, ratio: 1 / 3 };
    expect(boundedRenewal(0, hour, life)).to.equal(25 * minute);
  });

  // Attack in docs/security.md: An ACME server that suggests a renewal window that ends after the certificate expires.
  it('boundedRenewal returns a time before the certificate expires, regardless of the suggestion', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 1e12, noNaN: true }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.double({ min: -1e13, max: 1e13, noNaN: true }),
        fc.double({ min: -1e13, max: 1e13, noNaN: true }),
        (notAfter, ratio, suggested, earliest) =>
          boundedRenewal(suggested, earliest, { notBefore: 0, notAfter, ratio }) < notAfter,
      ),
    );
  });
});

describe('isTooEarly', () => {
  it('isTooEarly tolerates one minute of clock skew', () => {
    expect(isTooEarly({ notBefore: minute }, 0)).to.equal(false);
    expect(isTooEarly({ notBefore: minute + 1 }, 0)).to.equal(true);
  });
});
