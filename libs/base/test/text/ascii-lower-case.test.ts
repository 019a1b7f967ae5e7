import { asciiLowerCase } from '@sluice/base';
import { expect } from 'chai';
import fc from 'fast-check';

describe('lower case of ASCII', () => {
  it('changes A to Z and nothing else', () => {
    expect(asciiLowerCase('/Index.PHP/\u0130\u212a\u00c4Z')).to.equal('/index.php/\u0130\u212a\u00c4z');
  });

  it('keeps every character in its place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const lower = asciiLowerCase(text);
        return (
          lower.length === text.length && [...lower].every((each, i) => each === [...text][i] || /[a-z]/.test(each))
        );
      }),
    );
  });
});
