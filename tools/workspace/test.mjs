/**
 * `npm test` installs what is needed, and uses nx to compile, and to run the checks and tests whose inputs have changed. The last line of
 * output is `N passed, N failed`. A check counts as one test. On success, it prints only a summary. The output of nx is in
 * `.test-results/output.log`. Flaky tests are listed before the last line.
 * - `--all` (`npm run test:all`) also runs the files `*.trial.ts`, tests with `@long` in their title, and the coverage of core packages.
 * - `--record` saves the duration of each file to `test-durations.json`, which `shards.mjs` uses to divide large packages.
 */
import { createWriteStream, existsSync, mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, relative } from 'node:path';
import { checks, packageChecks, resultFile } from './checks.mjs';
import { filesToRunAgain, withSecondRun } from './flaky.mjs';
import { readJson, readPackages, workspaceRoot } from './packages.mjs';
import { run } from './run.mjs';
import { install, showProgress } from './setup.mjs';
import { readDurations, resultNames, writeDurations } from './shards.mjs';
import { addUp, report } from './summary.mjs';
import { buildEngine } from './waf-engine.mjs';

const withTrials = process.argv.includes('--all');
const checksToRun = Object.fromEntries(Object.entries(checks).filter(([, { onlyAll }]) => withTrials || !onlyAll));
const record = process.argv.includes('--record');
const folder = join(workspaceRoot, '.test-results');
const log = join(folder, 'output.log');

/** @param {string} name @returns {any} a result below `.test-results`, or `null` if there is none */
const resultIn = (name) => (existsSync(join(folder, name)) ? readJson(join(folder, name)) : null);

/** Runs the nx targets whose inputs have changed and logs their output. @param {readonly string[]} targets */
async function runTargets(targets) {
  const end = showProgress('Checking and testing', 60);
  const file = createWriteStream(log, { flags: 'a' });
  // Tests spend more time waiting than computing, so run one more target than there are CPUs.
  const parallel = `--parallel=${availableParallelism() + 1}`;
  const code = await run('nx', ['run-many', '-t', targets.join(','), parallel, '--outputStyle=static'], {
    output: (text) => void file.write(text),
  });
  await new Promise((done) => file.end(done));
  end();
  return code;
}

/** Returns the results of the test targets, new or cached, by target. If only a few files failed, reruns them. */
async function readResults() {
  /** @type {Map<string, { path: string, results: import('./flaky.mjs').Results }>} */
  const found = new Map();
  for (const { path } of readPackages())
    for (const name of resultNames(path, withTrials))
      found.set(name, { path, results: resultIn(`${name}.json`) ?? { passed: 0, failed: 1, skipped: 0 } });
  const failed = filesToRunAgain(new Map([...found].map(([name, { results }]) => [name, results])));
  for (const [name, files] of failed) {
    const first = /** @type {{ path: string, results: import('./flaky.mjs').Results }} */ (found.get(name));
    console.log(`running again alone: ${files.map((file) => relative(workspaceRoot, file)).join(', ')}`);
    const kind = name.endsWith('-trial') ? ['--trials'] : name.endsWith('-long') ? ['--long'] : [];
    await run('node', ['tools/workspace/mocha.mjs', first.path, ...kind, '--again', ...files]);
    const again = resultIn(`again/${basename(first.path)}.json`) ?? { passed: 0, failed: 1, skipped: 0 };
    found.set(name, { path: first.path, results: withSecondRun(first.results, again) });
  }
  return found;
}

function readChecks() {
  const ofPackages = Object.entries(packageChecks).map(([name, { title }]) => {
    const files = readPackages().map(({ path }) => resultFile(name, path));
    return { title, files };
  });
  const others = Object.entries(checksToRun).map(([name, { title }]) => ({ title, files: [resultFile(name)] }));
  return [...ofPackages, ...others].map(({ title, files }) => {
    const results = files.map((file) => resultIn(file) ?? { passed: false, output: `${file}: no result, see ${log}` });
    const output = results.map((each) => each.output).filter(Boolean);
    return { title, passed: results.every((each) => each.passed), output: output.join('\n') };
  });
}

async function test() {
  mkdirSync(folder, { recursive: true });
  rmSync(log, { force: true });
  const engine = await buildEngine();
  if (engine.path === null) console.log(`skipping tests of the web application firewall: ${engine.reason}`);
  const targets = [
    ...Object.keys(packageChecks),
    'test',
    ...(withTrials ? ['long', 'trial'] : []),
    ...Object.keys(checksToRun).map((name) => `check-${name}`),
  ];
  const code = await runTargets(targets);
  const results = await readResults();
  if (record)
    writeDurations(
      [...results].filter(([name]) => !/-(?:long|trial)$/.test(name)).map(([, { results: each }]) => each),
      readDurations(),
    );
  const sum = addUp(readChecks(), [...results.values()]);
  // Another target failed, such as a build that tests require.
  if (code !== 0 && sum.failed === 0 && sum.flaky === 0) {
    sum.failed += 1;
    sum.lines.push(`FAILED something that is neither a check nor a test: see ${relative(workspaceRoot, log)}`);
  }
  return sum;
}

const sum = (await install('all')) === 0 ? await test() : { ...addUp([], []), failed: 1 };
report(sum);
process.exitCode = sum.failed > 0 ? 1 : 0;
