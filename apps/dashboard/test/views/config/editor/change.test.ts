import { expect } from 'chai';
import fc from 'fast-check';
import { changeOf } from '../../../../src/page/views/config/editor/change.ts';

describe('dashboard function changeOf', () => {
  it('changeOf replaces only the part that differs', () => {
    expect(changeOf('{ "a": 1 }', '{ "a": 23 }')).to.deep.equal({ from: 7, to: 8, insert: '23' });
    expect(changeOf('one two', 'one and two')).to.deep.equal({ from: 4, to: 4, insert: 'and ' });
    expect(changeOf('aaa', 'aa')).to.deep.equal({ from: 2, to: 3, insert: '' });
    expect(changeOf('same', 'same')).to.equal(null);
  });

  it('changeOf can turn any text into any other text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '😀'), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = changeOf(before, after) ?? { from: 0, to: 0, insert: '' };
        expect(before.slice(0, change.from) + change.insert + before.slice(change.to)).to.equal(after);
      }),
    );
  });
});
