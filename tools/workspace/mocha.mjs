/**
 * `node mocha.mjs <package folder> [mocha arguments]`: runs the tests of one package against sources, without a build.
 * The target `test` calls it; the counts go to `.test-results/<folder>.json`, which npm test adds up, with the coverage of
 * packages of the core. `--again <files>` runs these files alone; the counts go to `.test-results/again/<folder>.json`.
 */
import { mkdirSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readJson, readPackages, workspaceRoot } from './packages.mjs';
import { workspaceEnvironment } from './node-path.mjs';
import { run } from './run.mjs';

const [path = '', ...rest] = process.argv.slice(2);
const again = rest[0] === '--again';
const folder = join(workspaceRoot, '.test-results', again ? 'again' : '');
const results = join(folder, `${basename(path)}.json`);
mkdirSync(folder, { recursive: true });
rmSync(results, { force: true });
const core = readPackages().find((each) => each.path === path && each.layer === 'core');
const reports = join(workspaceRoot, '.test-results/coverage', basename(path));
rmSync(reports, { recursive: true, force: true });

const environment = workspaceEnvironment();
const options = process.env.NODE_OPTIONS ?? '';
const code = await run(
  'mocha',
  [
    ...['--reporter', join(workspaceRoot, 'tools/workspace/reporter.cjs')],
    ...(again ? rest.slice(1) : [`${path}/test/**/*.test.ts`, ...rest]),
  ],
  {
    environment: {
      ...environment,
      NODE_OPTIONS: options.includes('@sluice/source') ? options : `${options} --conditions=@sluice/source`.trim(),
      SLUICE_TEST_RESULTS: results,
      ...(core && !again && { NODE_V8_COVERAGE: reports }),
    },
  },
);
const told = existsSync(results) ? readJson(results) : { passed: 0, failed: 0, skipped: 0 };
// Without a test that failed nothing is run again: a flaky test elsewhere must not hide that this package failed.
if ((code !== 0 || told.passed + told.skipped === 0) && told.failed === 0)
  writeFileSync(results, JSON.stringify({ ...told, failed: 1 }));
if (core && rest.length === 0)
  await run('node', ['--disable-warning=ExperimentalWarning', 'tools/workspace/coverage.mjs', path, reports, results]);
rmSync(reports, { recursive: true, force: true });
process.exitCode = code;
