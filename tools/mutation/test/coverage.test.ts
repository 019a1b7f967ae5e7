import { expect } from 'chai';
import { testsFor, type TestFile } from '../src/coverage.ts';
import { isExecuted, type Range } from '../src/executed.ts';

const range = (startOffset: number, endOffset: number, count: number): Range => ({ startOffset, endOffset, count });

describe('mutation tool: test coverage', () => {
  const ranges = [range(0, 100, 1), range(10, 50, 3), range(20, 30, 0), range(60, 70, 0), range(62, 64, 2)];
  const places: [offset: number, executed: boolean][] = [
    [0, true],
    [9, true],
    [19, true],
    [20, false],
    [29, false],
    [30, true],
    [60, false],
    [63, true],
    [99, true],
    [100, false],
  ];
  for (const [offset, executed] of places) {
    it(`isExecuted reports offset ${offset} as ${executed ? 'executed' : 'not executed'}`, () => {
      expect(isExecuted(ranges, offset)).to.equal(executed);
      expect(isExecuted(ranges.toReversed(), offset)).to.equal(executed);
    });
  }

  const test = (path: string, ...threads: Range[][]): TestFile => ({
    path,
    apart: false,
    duration: 1,
    scripts: new Map(threads.length === 0 ? [] : [['file:///a.ts', threads]]),
  });
  const tests = [
    test('one', [range(0, 100, 1), range(10, 20, 0)]),
    test('two', [range(0, 100, 0)], [range(0, 100, 1)]),
    test('three'),
  ];
  const pathsFor = (offset: number, url = 'file:///a.ts'): string[] =>
    testsFor(tests, url, offset).map(({ path }) => path);

  it('testsFor returns the tests that reach an offset in any thread', () => {
    expect(pathsFor(5)).to.deep.equal(['one', 'two']);
    expect(pathsFor(15)).to.deep.equal(['two']);
  });

  it('testsFor returns all tests if no test reaches the offset', () => {
    expect(pathsFor(100)).to.deep.equal(['one', 'two', 'three']);
    expect(pathsFor(5, 'file:///b.ts')).to.deep.equal(['one', 'two', 'three']);
  });
});
