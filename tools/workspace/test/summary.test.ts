import { expect } from 'chai';
import { addUp } from '../summary.mjs';

const fine = { path: 'libs/a', results: { passed: 7, failed: 0, skipped: 0 } };

describe('workspace script: summary', () => {
  it('addUp counts a check as one test, and keeps the summary short on success', () => {
    const checks = ['format', 'lint'].map((title) => ({ title, passed: true, output: '' }));
    const sum = addUp(checks, [fine, { path: 'libs/b', results: { passed: 3, failed: 0, skipped: 2 } }]);
    expect(sum).to.deep.include({ passed: 12, failed: 0, skipped: 2 });
    expect(sum.lines).to.deep.equal(['ok     format, lint', 'ok     tests of 2 packages']);
  });

  it('addUp includes the output of a failed check and a failed test', () => {
    const results = { passed: 1, failed: 2, skipped: 0, output: '1) x is broken' };
    const sum = addUp([{ title: 'lint', passed: false, output: 'x.ts: no' }], [{ path: 'libs/a', results }]);
    expect(sum).to.deep.include({ passed: 1, failed: 3 });
    expect(sum.lines).to.include.members([
      'FAILED lint',
      'x.ts: no',
      'FAILED libs/a: 2 of its tests',
      '1) x is broken',
    ]);
  });

  it('addUp lists flaky tests', () => {
    const sum = addUp([], [{ path: 'libs/a', results: { ...fine.results, flaky: ['x waits'] } }]);
    expect(sum.lines).to.include('flaky  libs/a: x waits (failed next to other tests, passed alone)');
  });
});
