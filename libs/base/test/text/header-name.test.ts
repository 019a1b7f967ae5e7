import { canonicalHeaderName, isToken, isTokenCode } from '@sluice/base';
import { expect } from 'chai';
import fc from 'fast-check';

describe('canonicalHeaderName', () => {
  const names: [string, string][] = [
    ['content-type', 'Content-Type'],
    ['CONTENT-TYPE', 'Content-Type'],
    ['etag', 'Etag'],
    ['WWW-Authenticate', 'Www-Authenticate'],
    ['x-lOwer-k', 'X-Lower-K'],
    ['a--b', 'A--B'],
    ['-a-', '-A-'],
    ['x_y.z', 'X_y.z'],
    ['1a', '1a'],
    ['a b', 'a b'],
    ['é', 'é'],
    ['a:', 'a:'],
    ['', ''],
  ];
  for (const [name, canonical] of names) {
    it(`canonicalHeaderName returns ${JSON.stringify(canonical)} for ${JSON.stringify(name)}`, () => {
      expect(canonicalHeaderName(name)).to.equal(canonical);
      expect(canonicalHeaderName(name)).to.equal(canonical);
    });
  }

  it('canonicalHeaderName ignores case, regardless of the number of cached names', () => {
    for (let i = 0; i < 5000; i++)
      expect(canonicalHeaderName(`x-name-${i}`)).to.equal(canonicalHeaderName(`X-NAME-${i}`));
  });
});

describe('isToken', () => {
  it('isToken accepts the characters of RFC 9110 §5.6.2', () => {
    const pattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
    for (let code = 0; code < 300; code++) {
      const character = String.fromCharCode(code);
      expect(isTokenCode(code), character).to.equal(pattern.test(character));
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => isToken(text) === pattern.test(text)));
    expect(isToken('')).to.equal(false);
    expect(isToken('Content-Type')).to.equal(true);
  });
});
