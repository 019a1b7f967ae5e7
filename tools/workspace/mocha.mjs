/**
 * `node mocha.mjs <package folder> [--shard N | --trials | --again <files>] [mocha arguments]`: runs the tests of one package
 * against sources, without a build. The targets `test`, `test-N` and `trial` call it. Counts go to
 * `.test-results/<name>.json`, which npm test adds up, with the coverage of packages of the core.
 *
 * - `--shard N`: the files of one shard alone (`shards.mjs`); counts go to `<name>-N.json`.
 * - `--trials`: the files `*.trial.ts`, long trials that `npm run test:all` runs; counts go to `<name>-trial.json`.
 * - `--again <files>`: these files alone; counts go to `again/<name>.json`.
 */
import { mkdirSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { needsPackage, readJson, readPackages, workspaceRoot } from './packages.mjs';
import { workspaceEnvironment } from './node-path.mjs';
import { run } from './run.mjs';
import { shardsOf } from './shards.mjs';

const [path = '', ...given] = process.argv.slice(2);
const name = basename(path);
const found = readPackages().find((each) => each.path === path);
const layer = found?.layer ?? '';

/** The files to run, where their counts go, and what is left for mocha. */
function chosen() {
  const [option, ...rest] = given;
  if (option === '--again') return { files: rest, results: `again/${name}`, rest: [] };
  if (option === '--trials') return { files: [`${path}/test/**/*.trial.ts`], results: `${name}-trial`, rest };
  if (option !== '--shard') return { files: [`${path}/test/**/*.test.ts`], results: name, rest: given };
  const [number, ...others] = rest;
  return { files: shardsOf(path, layer)[Number(number) - 1] ?? [], results: `${name}-${number}`, rest: others };
}

const { files, results: resultsName, rest } = chosen();
const results = join(workspaceRoot, '.test-results', `${resultsName}.json`);
mkdirSync(dirname(results), { recursive: true });
rmSync(results, { force: true });
const measured = layer === 'core' && !/^--(?:again|trials|shard)$/.test(given[0] ?? '');
const reports = join(workspaceRoot, '.test-results/coverage', resultsName);
rmSync(reports, { recursive: true, force: true });

const packaged = found !== undefined && needsPackage(found);
// nx makes the package before it calls this.
if (packaged && process.env.NX_TASK_TARGET_PROJECT === undefined)
  await run('nx', ['run', 'packaging:package', '--outputStyle=static'], { output: () => undefined });

const compileCache = join(workspaceRoot, 'node_modules/.cache/sluice');
const environment = workspaceEnvironment();
const options = process.env.NODE_OPTIONS ?? '';
const code = await run(
  'mocha',
  ['--reporter', join(workspaceRoot, 'tools/workspace/reporter.cjs'), ...files, ...rest],
  {
    environment: {
      ...environment,
      NODE_OPTIONS: options.includes('@sluice/source') ? options : `${options} --conditions=@sluice/source`.trim(),
      SLUICE_TEST_RESULTS: results,
      ...(packaged && { SLUICE_PACKAGED: '1' }),
      // Types are stripped once for all processes; what is measured must be compiled in full.
      ...(measured ? { NODE_V8_COVERAGE: reports } : { NODE_COMPILE_CACHE: compileCache }),
    },
  },
);
const told = existsSync(results) ? readJson(results) : { passed: 0, failed: 0, skipped: 0 };
// Without a test that failed nothing is run again: a flaky test elsewhere must not hide that this package failed.
if ((code !== 0 || told.passed + told.skipped === 0) && told.failed === 0)
  writeFileSync(results, JSON.stringify({ ...told, failed: 1 }));
if (measured && rest.length === 0)
  await run('node', ['--disable-warning=ExperimentalWarning', 'tools/workspace/coverage.mjs', path, reports, results]);
rmSync(reports, { recursive: true, force: true });
process.exitCode = code;
