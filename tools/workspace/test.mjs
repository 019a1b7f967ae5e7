/**
 * `npm test`: sets up what is needed, runs the checks of the whole workspace, then the tests of every package (nx leaves
 * out what has not changed), and ends with one line: `N passed, N failed`. A check counts as one test. Flaky tests are named before it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { workspaceEnvironment } from './node-path.mjs';
import { filesToRunAgain, withSecondRun } from './flaky.mjs';
import { hasTests, readJson, readPackages, workspaceRoot } from './packages.mjs';
import { run } from './run.mjs';
import { install } from './setup.mjs';

const counts = { passed: 0, failed: 0, skipped: 0 };
/** Of the core packages, by their own tests. */
const coverage = { lines: 0, covered: 0 };
/**
 * Percent of the lines. Raise it when the coverage has risen. A package of which tests were skipped does not count: clients of
 * stores are tested with real servers, which not every machine has.
 */
const floor = 94;

/** Runs a check; it speaks only when it fails. @param {string} title @param {string} command @param {...string} rest */
function check(title, command, ...rest) {
  const start = performance.now();
  const shell = process.platform === 'win32';
  const options = /** @type {const} */ ({
    cwd: workspaceRoot,
    env: workspaceEnvironment(),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    shell,
  });
  const { status, stdout, stderr, error } = spawnSync(command, rest, options);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)`);
  if (status === 0) counts.passed += 1;
  else {
    counts.failed += 1;
    console.log([stdout, stderr, error?.message].filter(Boolean).join('\n'));
  }
}

/** The results that the tests of a package wrote. @param {...string} file @returns {import('./flaky.mjs').Results} */
function resultsIn(...file) {
  const path = join(workspaceRoot, '.test-results', ...file);
  return existsSync(path) ? readJson(path) : { passed: 0, failed: 1, skipped: 0 };
}

/** What the test targets wrote, whether they ran or came from the cache, by package. The few files that failed are run again. */
async function readResults() {
  const name = (/** @type {string} */ path) => `${basename(path)}.json`;
  const packages = readPackages().filter(hasTests);
  const results = new Map(packages.map(({ path }) => [path, resultsIn(name(path))]));
  for (const [path, files] of filesToRunAgain(results)) {
    console.log(`run again, alone: ${files.map((file) => relative(workspaceRoot, file)).join(', ')}`);
    await run('node', ['tools/workspace/mocha.mjs', path, '--again', ...files]);
    results.set(path, withSecondRun(resultsIn(name(path)), resultsIn('again', name(path))));
  }
  return results;
}

/** Adds results to the counts. @param {ReadonlyMap<string, import('./flaky.mjs').Results>} results by package */
function addResults(results) {
  for (const [path, { passed, failed, skipped, flaky = [], coverage: own }] of results) {
    for (const title of flaky) console.log(`flaky  ${path}: ${title} (failed beside other tests, passed alone)`);
    if (failed > 0) console.log(`FAILED ${path}: ${failed} of its tests`);
    counts.passed += passed;
    counts.failed += failed;
    counts.skipped += skipped;
    if (skipped > 0) continue;
    coverage.lines += own?.lines ?? 0;
    coverage.covered += own?.covered ?? 0;
  }
}

/** Prints the share of the lines of the core packages that their tests run. */
function checkCoverage() {
  const percent = (100 * coverage.covered) / Math.max(1, coverage.lines);
  const reached = percent >= floor;
  console.log(
    `${reached ? 'ok    ' : 'FAILED'} coverage of the core: lines ${percent.toFixed(1)} % (floor ${floor} %)`,
  );
  counts[reached ? 'passed' : 'failed'] += 1;
}

const installed = await install();
if (installed === 0) {
  check('format', 'oxfmt', '--check');
  check('lint', 'oxlint', '--type-aware');
  check('type check', 'tsc', '-b', '--checkers', '1');
  check('boundaries', 'node', 'tools/workspace/boundaries.mjs');
  check('module index', 'node', '--conditions=@sluice/source', 'tools/workspace/module-index.mjs');
  check('docs', 'node', '--conditions=@sluice/source', 'tools/nx-plugin/docs.mjs');
  check('file sizes', 'node', 'tools/workspace/file-sizes.mjs');
  check('errors', 'node', 'tools/workspace/errors.mjs');
  check('unused exports', 'node', 'tools/workspace/unused.mjs');
  check('names that stand twice', 'node', 'tools/workspace/duplicates.mjs');
  check('options that nothing reads', 'node', 'tools/workspace/options.mjs');
  check('words', 'node', 'tools/workspace/words.mjs');
  check('guards', 'node', 'tools/workspace/guards.mjs');
  check('API report', 'node', 'tools/workspace/api-report.mjs');
  const code = await run('nx', ['run-many', '-t', 'test', '--outputStyle=static']);
  const results = await readResults();
  addResults(results);
  checkCoverage();
  // What else nx does, such as a build that tests need.
  const explained = [...results.values()].some(({ failed, flaky }) => failed > 0 || flaky !== undefined);
  if (code !== 0 && !explained) counts.failed += 1;
} else {
  counts.failed += 1;
}
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
console.log(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
process.exitCode = counts.failed > 0 ? 1 : 0;
