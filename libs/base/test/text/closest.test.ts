import { expect } from 'chai';
import fc from 'fast-check';
import { closest } from '@sluice/base';

describe('closest', () => {
  const names = ['handler', 'handle', 'headers', 'route', 'routes', 'max_size'];

  const table: [name: string, found: string | null][] = [
    ['hanlde', 'handle'],
    ['handeler', 'handler'],
    ['header', 'headers'],
    ['headres', 'headers'],
    ['max_sizes', 'max_size'],
    ['maxsize', 'max_size'],
    ['mux_size', 'max_size'],
    ['rout', 'route'],
    ['roues', 'routes'],
    // No suggestion is made if more than a third of the letters differ.
    ['rte', null],
    ['hdlr', null],
    ['', null],
    ['something else', null],
  ];
  for (const [name, found] of table)
    it(`closest() returns ${found ?? 'nothing'} for ${JSON.stringify(name)}`, () =>
      expect(closest(name, names, 2)).to.equal(found));

  it('closest() returns the nearest candidate, or the first one if several are equally near', () => {
    expect(closest('abcdef', ['abcdex', 'abcdey'], 2)).to.equal('abcdex');
    expect(closest('abcdef', ['abcdxy', 'abcdex', 'abcdey'], 2)).to.equal('abcdex');
    expect(closest('abcdef', ['abcdxy', 'abcdex', 'abcdef'], 2)).to.equal('abcdef');
  });

  it('closest() accepts candidates up to the maximum edit distance', () => {
    for (const [max, found] of [
      [0, null],
      [1, null],
      [2, 'xxcdefghi'],
      [9, 'xxcdefghi'],
    ] as const)
      expect(closest('abcdefghi', ['xxcdefghi'], max), String(max)).to.equal(found);
    expect(closest('abcdefghi', ['xxxdefghi'], 9)).to.equal('xxxdefghi');
    expect(closest('abcdefghi', ['xxxxefghi'], 9)).to.equal(null);
  });

  it('closest() finds names with inserted, removed or replaced letters', () => {
    const change = fc.tuple(fc.constantFrom('insert', 'remove', 'replace'), fc.nat(20));
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{9,20}$/), fc.array(change, { maxLength: 3 }), (name, changes) => {
        const letters = [...name];
        for (const [kind, place] of changes)
          letters.splice(place % letters.length, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : ['_']));
        const typed = letters.join('');
        const isNear = changes.length <= Math.floor(typed.length / 3);
        if (isNear) expect(closest(typed, ['0'.repeat(40), name], 3)).to.equal(name);
      }),
    );
  });
});
