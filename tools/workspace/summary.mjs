/** Summarizes the results of checks and tests at the end of `npm test`. */

/** @typedef {{ title: string, passed: boolean, output: string }} CheckResult */
/** @typedef {{ path: string, results: import('./flaky.mjs').Results }} TestResult */
/** @typedef {{ passed: number, failed: number, skipped: number, flaky: number, lines: string[] }} Sum */

/**
 * Adds up the results of checks and tests.
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
  for (const { path, results } of tests) {
    const { flaky = [], output } = results;
    for (const title of flaky) sum.lines.push(`flaky  ${path}: ${title} (failed next to other tests, passed alone)`);
    if (results.failed > 0) sum.lines.push(`FAILED ${path}: ${results.failed} of its tests`, output ?? '');
    sum.passed += results.passed;
    sum.failed += results.failed;
    sum.skipped += results.skipped;
    sum.flaky += flaky.length;
  }
  const packages = new Set(tests.map(({ path }) => path));
  if (tests.length > 0 && tests.every(({ results }) => results.failed === 0))
    sum.lines.push(`ok     tests of ${packages.size} packages`);
  return sum;
}

/** Prints the totals. CI servers parse the last line. @param {Sum} sum */
export function report({ passed, failed, skipped, lines }) {
  for (const line of lines) if (line !== '') console.log(line);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}
