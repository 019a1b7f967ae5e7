import { expect } from 'chai';
import fc from 'fast-check';
import { safeSegment } from '@sluice/contracts';

describe('safeSegment', () => {
  const cases: [text: string, segment: string][] = [
    ['example.com', 'example.com'],
    ['*.example.com', '%2A.example.com'],
    ["a!b'c(d)e~f", 'a%21b%27c%28d%29e%7Ef'],
    ['a/b\\c', 'a%2Fb%5Cc'],
    ['ü', '%C3%BC'],
    ['%2A', '%252A'],
    ['\ud800', '%EF%BF%BD'],
    ['', '%'],
    ['.', '%%2E'],
    ['..', '%%2E%2E'],
    ['.a', '.a'],
  ];
  for (const [text, segment] of cases) {
    it(`safeSegment returns ${JSON.stringify(segment)} for ${JSON.stringify(text)}`, () => {
      expect(safeSegment(text)).to.equal(segment);
    });
  }

  it('safeSegment returns different, filename-safe segments for different strings', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[.%/*'2E]{0,4}$/));
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(safeSegment(a)).to.match(/^[\w%.-]+$/);
        expect(safeSegment(a)).to.not.match(/^\.+$/);
        expect(safeSegment(a) === safeSegment(b)).to.equal(a.toWellFormed() === b.toWellFormed());
      }),
    );
  });
});
