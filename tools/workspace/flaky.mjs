/**
 * Flaky tests: beside those of other packages, on a busy machine, a test may have to wait for longer than it waits. So the files of the few that
 * failed are run again, alone; who passes then is named as flaky, and who fails again has failed.
 */

/**
 * The failures of a file of tests, and how many of its tests passed.
 * @typedef {object} FailedFile
 * @property {string} file
 * @property {string[]} titles
 * @property {number} passed
 */

/**
 * What the reporter counted in a package.
 * @typedef {object} Results
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {FailedFile[]} [failures] none where mocha itself failed
 * @property {Record<string, number>} [durations] milliseconds by file
 * @property {string} [output] the failures, as mocha prints them
 * @property {string[]} [flaky] titles of those that passed alone
 */

/** So many files may fail by accident; more have a cause, and are not run again. */
const accidents = 5;

/**
 * The files to run again, by package.
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
 * The results of a package whose failed files were run again, with the titles of its flaky tests.
 * @param {Results} first of all files @param {Results} again of those with failures
 * @returns {Results}
 */
export function withSecondRun(first, again) {
  const { failures = [] } = first;
  // Where mocha itself failed, nothing is known to have passed.
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
