import { expect } from 'chai';
import fc from 'fast-check';
import { compileNegotiator } from '@sluice/http-app';

describe('content-coding negotiation', () => {
  const cases: readonly [offered: string[], preferred: string[], field: string | undefined, accepted: string[]][] = [
    [['gzip', 'br'], [], undefined, []],
    [['gzip', 'br'], [], '', []],
    [['gzip', 'br'], [], 'br, gzip', ['br', 'gzip']],
    [['gzip', 'br'], ['gzip'], 'br, gzip', ['gzip', 'br']],
    [['gzip', 'br'], ['gzip'], 'br, gzip;q=0.9', ['br', 'gzip']],
    [['gzip', 'br', 'zstd'], ['zstd'], 'br, gzip, zstd', ['zstd', 'br', 'gzip']],
    [['gzip'], [], 'gzip, gzip;q=0.5', ['gzip']],
    [['gzip'], [], 'gzip;q=0', []],
    [['gzip'], [], 'gzip;q=0.000', []],
    [['gzip'], [], 'gzip;q=1.5', ['gzip']],
    [['gzip'], [], 'gzip;q=-1', ['gzip']],
    [['gzip'], [], '*', []],
    [['gzip'], [], 'x-gzip', []],
    [['gzip'], [], '\tGZip\t;\tQ=0.5', ['gzip']],
  ];
  for (const [offered, preferred, field, accepted] of cases) {
    it(`content negotiation selects ${accepted.join(', ') || 'none'} of ${offered.join(', ')} for ${field}`, () => {
      const negotiate = compileNegotiator(offered, preferred);
      expect(negotiate(field)).to.deep.equal(accepted);
      expect(negotiate(field), 'the second time').to.deep.equal(accepted);
    });
  }

  it('content negotiation never selects a rejected or unavailable coding, and never selects a coding twice', () => {
    const coding = fc.constantFrom('gzip', 'br', 'zstd', 'deflate', '*');
    const element = fc.tuple(coding, fc.constantFrom('', ';q=0', ';q=0.5', ';q=1', ';x=y'));
    fc.assert(
      fc.property(fc.array(element, { maxLength: 6 }), (elements) => {
        const field = elements.map(([name, weight]) => name + weight).join(', ');
        const found = compileNegotiator(['gzip', 'br'], ['br'])(field);
        expect(new Set(found).size).to.equal(found.length);
        for (const name of found) {
          expect(['gzip', 'br']).to.include(name);
          expect(elements.some(([other, weight]) => other === name && weight !== ';q=0')).to.equal(true);
        }
      }),
    );
  });
});
