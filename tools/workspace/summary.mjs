/** The end of npm test: the results of checks and tests added up, and printed in a few lines. */

/** Percent of the lines of the core packages. Raise it when the coverage has risen. */
const floor = 94;

/** @typedef {{ title: string, passed: boolean, output: string }} CheckResult */
/** @typedef {{ path: string, results: import('./flaky.mjs').Results }} TestResult */
/** @typedef {{ passed: number, failed: number, skipped: number, flaky: number, lines: string[] }} Sum */

/**
 * Adds up. A package of which tests were skipped does not count for the coverage: clients of stores are tested with real
 * servers, which not every machine has.
 * @param {readonly CheckResult[]} checks @param {readonly TestResult[]} tests @returns {Sum}
 */
export function addUp(checks, tests) {
  /** @type {Sum} */
  const sum = { passed: 0, failed: 0, skipped: 0, flaky: 0, lines: [] };
  for (const { title, passed, output } of checks) {
    sum[passed ? 'passed' : 'failed'] += 1;
    if (!passed) sum.lines.push(`FAILED ${title}`, output);
  }
  const passed = checks.filter((each) => each.passed).map(({ title }) => title);
  if (passed.length > 0) sum.lines.push(`ok     ${passed.join(', ')}`);
  const coverage = { lines: 0, covered: 0 };
  for (const { path, results } of tests) {
    const { flaky = [], coverage: own, output } = results;
    for (const title of flaky) sum.lines.push(`flaky  ${path}: ${title} (failed beside other tests, passed alone)`);
    if (results.failed > 0) sum.lines.push(`FAILED ${path}: ${results.failed} of its tests`, output ?? '');
    sum.passed += results.passed;
    sum.failed += results.failed;
    sum.skipped += results.skipped;
    sum.flaky += flaky.length;
    if (results.skipped > 0) continue;
    coverage.lines += own?.lines ?? 0;
    coverage.covered += own?.covered ?? 0;
  }
  const packages = new Set(tests.map(({ path }) => path));
  if (tests.length > 0) {
    if (tests.every(({ results }) => results.failed === 0)) sum.lines.push(`ok     tests of ${packages.size} packages`);
    addCoverage(sum, (100 * coverage.covered) / Math.max(1, coverage.lines));
  }
  return sum;
}

/** The share of the lines of the core packages that their own tests run. @param {Sum} sum @param {number} percent */
function addCoverage(sum, percent) {
  const reached = percent >= floor;
  sum[reached ? 'passed' : 'failed'] += 1;
  const verdict = reached ? 'ok    ' : 'FAILED';
  sum.lines.push(`${verdict} coverage of the core: lines ${percent.toFixed(1)} % (floor ${floor} %)`);
}

/** Prints the sum; integration servers read the last line. @param {Sum} sum */
export function report({ passed, failed, skipped, lines }) {
  for (const line of lines) if (line !== '') console.log(line);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}
