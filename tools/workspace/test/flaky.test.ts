import { expect } from 'chai';
import { filesToRunAgain, withSecondRun } from '../flaky.mjs';

const fine = { passed: 7, failed: 0, skipped: 1, failures: [] };
const failedFile = (file: string, ...titles: string[]) => ({ file, titles, passed: 3 });

describe('workspace script: flaky', () => {
  describe('filesToRunAgain', () => {
    const failing = { passed: 7, failed: 2, skipped: 0, failures: [failedFile('x.test.ts', 'x a', 'x b')] };

    it('filesToRunAgain returns the files with failures', () => {
      const results = new Map([
        ['libs/a', fine],
        ['libs/b', failing],
      ]);
      expect([...filesToRunAgain(results)]).to.deep.equal([['libs/b', ['x.test.ts']]]);
    });

    it('filesToRunAgain returns nothing if mocha itself failed or a failure has no file', () => {
      const crashed = { passed: 0, failed: 1, skipped: 0 };
      for (const other of [crashed, { ...failing, failed: 3 }]) {
        const results = new Map([
          ['libs/a', other],
          ['libs/b', failing],
        ]);
        expect(filesToRunAgain(results).size).to.equal(0);
      }
    });

    it('filesToRunAgain returns nothing if too many files failed', () => {
      const failures = (count: number) => Array.from({ length: count }, (_, i) => failedFile(`${i}.test.ts`, `${i}`));
      const results = (count: number) => new Map([['a', { ...fine, failed: count, failures: failures(count) }]]);
      expect(filesToRunAgain(results(5)).get('a')).to.have.length(5);
      expect(filesToRunAgain(results(6)).size).to.equal(0);
    });
  });

  describe('withSecondRun', () => {
    const first = {
      ...{ passed: 20, failed: 2, skipped: 1 },
      failures: [failedFile('x.test.ts', 'x a'), failedFile('y.test.ts', 'y "before all" hook')],
    };

    it('withSecondRun counts and lists tests as passed if they pass in the second run', () => {
      const again = { passed: 9, failed: 0, skipped: 0, failures: [] };
      expect(withSecondRun(first, again)).to.deep.equal({
        ...{ passed: 23, failed: 0, skipped: 1, failures: [] },
        flaky: ['x a', 'y "before all" hook'],
      });
    });

    it('withSecondRun counts tests that fail again as failed', () => {
      const failures = [failedFile('x.test.ts', 'x a', 'x b')];
      const second = withSecondRun(first, { passed: 7, failed: 2, skipped: 0, failures });
      expect(second).to.deep.include({ passed: 21, failed: 2, failures, flaky: ['y "before all" hook'] });
    });

    it('withSecondRun returns the first results if mocha itself failed', () => {
      expect(withSecondRun(first, { passed: 0, failed: 1, skipped: 0 })).to.equal(first);
    });
  });
});
