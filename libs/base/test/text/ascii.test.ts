import { expect } from 'chai';
import fc from 'fast-check';
import { isSameToken, listedTokens, lowerAscii, trimBlanks } from '@sluice/base';

describe('ASCII string functions', () => {
  it('lowerAscii converts only ASCII letters', () => {
    expect(lowerAscii('ChunKed')).to.equal('chunked');
    expect(lowerAscii('CHUN\u212aED \u00c4\u0130')).to.equal('chun\u212aed \u00c4\u0130');
  });

  it('lowerAscii preserves character positions', () => {
    expect(lowerAscii('/Index.PHP/\u0130\u212a\u00c4Z')).to.equal('/index.php/\u0130\u212a\u00c4z');
    fc.assert(
      fc.property(fc.uint16Array(), (units) => {
        const text = String.fromCharCode(...units);
        const expected = text.split('').map((unit) => (unit >= 'A' && unit <= 'Z' ? unit.toLowerCase() : unit));
        expect(lowerAscii(text)).to.equal(expected.join(''));
      }),
    );
  });

  // Attack in docs/security.md: Ambiguous `Content-Length`, `Transfer-Encoding` and `Expect` fields, and ambiguous request targets
  // (`chunKed` with U+212A, empty folded lines, two `Expect` fields, `GET http://b\@c/`, CRLF after a body).
  it('isSameToken ignores ASCII case', () => {
    expect(isSameToken('CHUNKED', 'chunked')).to.equal(true);
    for (const other of ['chun\u212aed', 'chunked ', 'chunke', '\u017f'])
      expect(isSameToken(other, 'chunked')).to.equal(false);
    expect(isSameToken('clo\u017fe', 'close')).to.equal(false);
  });

  it('trimBlanks removes only spaces and tabs', () => {
    expect(trimBlanks(' \ta b\t ')).to.equal('a b');
    expect(trimBlanks('\u00a0a\ufeff\v')).to.equal('\u00a0a\ufeff\v');
    expect(trimBlanks(' \t')).to.equal('');
    expect(['a \t', '\t a', 'a', ''].map(trimBlanks)).to.deep.equal(['a', 'a', 'a', '']);
  });

  it('listedTokens splits comma-separated lists', () => {
    expect(listedTokens(' Close,,\tKeep-Alive ,\u00a0x')).to.deep.equal(['close', 'keep-alive', '\u00a0x']);
  });
});
