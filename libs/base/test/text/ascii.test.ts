import { expect } from 'chai';
import { isSameToken, listedTokens, lowerAscii, trimBlanks } from '@sluice/base';

describe('texts of the wire', () => {
  it('makes the letters of ASCII small, and no others', () => {
    expect(lowerAscii('ChunKed')).to.equal('chunked');
    expect(lowerAscii('CHUN\u212aED \u00c4\u0130')).to.equal('chun\u212aed \u00c4\u0130');
  });

  it('compares tokens without regard to the case of ASCII', () => {
    expect(isSameToken('CHUNKED', 'chunked')).to.equal(true);
    for (const other of ['chun\u212aed', 'chunked ', 'chunke', '\u017f'])
      expect(isSameToken(other, 'chunked')).to.equal(false);
    expect(isSameToken('clo\u017fe', 'close')).to.equal(false);
  });

  it('takes spaces and tabs off, and no other blanks', () => {
    expect(trimBlanks(' \ta b\t ')).to.equal('a b');
    expect(trimBlanks('\u00a0a\ufeff\v')).to.equal('\u00a0a\ufeff\v');
    expect(trimBlanks(' \t')).to.equal('');
  });

  it('lists tokens', () => {
    expect(listedTokens(' Close,,\tKeep-Alive ,\u00a0x')).to.deep.equal(['close', 'keep-alive', '\u00a0x']);
  });
});
