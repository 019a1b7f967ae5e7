import { expect } from 'chai';
import { failureLinesOf, testsHeadlineOf } from '../../src/page/base/tests.ts';

describe('results of required tests', () => {
  const report = { cases: 3, passed: 3, failed: 0, skipped: 0, failures: [], error: null };

  it('the headline of the test results states whether all tests passed, some failed, or none could run', () => {
    expect(testsHeadlineOf(report)).to.equal('3 required tests passed');
    expect(testsHeadlineOf({ ...report, passed: 2, failed: 1 })).to.equal('1 of 3 required tests failed');
    expect(testsHeadlineOf({ ...report, error: 'no test file matches "x"' })).to.equal('Required tests could not run');
  });

  it('the test results omit values that the client is not allowed to see', () => {
    const differences = [
      { what: 'status', expected: '200', got: '404' },
      { what: 'body', expected: '"open"' },
    ];
    expect(failureLinesOf({ name: 'x', differences })).to.deep.equal([
      'status: expected 200, got 404',
      'body: expected "open"',
    ]);
  });
});
