/**
 * Detects flaky tests. On a busy machine, concurrent tests of other packages may cause timeouts. If only a few files fail, they are rerun
 * without other tests. Tests that pass on the second run are reported as flaky. Tests that fail again are reported as failed.
 */

/**
 * Failures in a test file, and its number of passed tests.
 * @typedef {object} FailedFile
 * @property {string} file
 * @property {string[]} titles
 * @property {number} passed
 */

/**
 * Results of a package from the reporter.
 * @typedef {object} Results
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {FailedFile[]} [failures] absent if mocha itself failed
 * @property {Record<string, number>} [durations] milliseconds by file
 * @property {string} [output] the failures, as mocha prints them
 * @property {string[]} [flaky] titles of tests that passed alone
 */

/** Maximum number of failed files that are rerun. If more files fail, the failures are not considered flaky. */
const accidents = 5;

/**
 * Returns the files to rerun, by package.
 * @param {ReadonlyMap<string, Results>} results by package
 * @returns {Map<string, string[]>}
 */
export function filesToRunAgain(results) {
  const files = new Map();
  let count = 0;
  for (const [path, { failed, failures = [] }] of results) {
    if (failed === 0) continue;
    const known = failures.reduce((sum, { titles }) => sum + titles.length, 0);
    if (known !== failed) return new Map();
    files.set(
      path,
      failures.map(({ file }) => file),
    );
    count += failures.length;
  }
  return count > accidents ? new Map() : files;
}

/**
 * Merges the results of a package with the results of the second run, and adds the titles of its flaky tests.
 * @param {Results} first of all files @param {Results} again of files with failures
 * @returns {Results}
 */
export function withSecondRun(first, again) {
  const { failures = [] } = first;
  // If Mocha itself failed, there is no evidence that any test passed.
  if (again.failures === undefined) return first;
  const failedAgain = new Set(again.failures.flatMap(({ titles }) => titles));
  return {
    ...first,
    passed: first.passed - failures.reduce((sum, { passed }) => sum + passed, 0) + again.passed,
    failed: again.failed,
    failures: again.failures,
    flaky: failures.flatMap(({ titles }) => titles).filter((title) => !failedAgain.has(title)),
  };
}
