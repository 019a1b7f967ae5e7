import { expect } from 'chai';
import { problemsOf } from '../../src/fleet-trials/array-trial.ts';

describe('tools/benchmarks: array trial', () => {
  it('problemsOf detects an edit at the wrong position, a repeated edit, and an applied edit that had been rejected', () => {
    const edits = [
      { op: 'a', index: 1, value: 'a' },
      { op: 'b', index: 2, value: null },
    ];
    const statuses = new Map([
      ['a', 200],
      ['b', 412],
    ]);
    const before = ['x', 'y', 'z'];
    expect(problemsOf(before, ['x', 'a', 'y', 'z'], { edits, statuses, order: ['a'] })).to.deep.equal([]);
    expect(problemsOf(before, ['x', 'y', 'a', 'z'], { edits, statuses, order: ['a'] })).to.have.length(1);
    expect(problemsOf(before, ['x', 'a', 'y', 'z'], { edits, statuses, order: ['a', 'a'] })).to.have.length(1);
    expect(problemsOf(before, ['x', 'a', 'z'], { edits, statuses, order: ['a', 'b'] })).to.have.length(1);
  });
});
