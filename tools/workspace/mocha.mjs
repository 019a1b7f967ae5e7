/**
 * `node mocha.mjs <package folder> [--shard N | --trials | --long] [--again <files>] [mocha arguments]`: runs the tests of one
 * package against sources, without a build. The targets `test`, `test-N`, `trial` and `long` call it. Counts go to
 * `.test-results/<name>.json`, which npm test adds up. Tests with `@long` in their title run with `--long` only.
 *
 * - `--shard N`: the files of one shard (`shards.mjs`); counts go to `<name>-N.json`.
 * - `--trials`: the files `*.trial.ts`, which `npm run test:all` runs; counts go to `<name>-trial.json`.
 * - `--long`: the tests with `@long` in their title, which `npm run test:all` runs; counts go to `<name>-long.json`.
 * - `--again <files>`: only these files; counts go to `again/<name>.json`.
 */
import { mkdirSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { needsPackage, readJson, readPackages, workspaceRoot } from './packages.mjs';
import { workspaceEnvironment } from './node-path.mjs';
import { run } from './run.mjs';
import { longTestFiles, shardsOf } from './shards.mjs';

const [path = '', ...given] = process.argv.slice(2);
const name = basename(path);
const found = readPackages().find((each) => each.path === path);

const quick = ['--grep', '@long', '--invert'];
const long = ['--grep', '@long'];

/** Returns the files to run, where their counts go, and the arguments for mocha. */
function chosen() {
  const [option, ...rest] = given;
  const [again, ...files] = rest;
  if (again === '--again')
    return { files, results: `again/${name}`, rest: option === '--long' ? long : option === '--trials' ? [] : quick };
  if (option === '--trials') return { files: [`${path}/test/**/*.trial.ts`], results: `${name}-trial`, rest };
  if (option === '--long') return { files: longTestFiles(path), results: `${name}-long`, rest: [...long, ...rest] };
  if (option !== '--shard') return { files: [`${path}/test/**/*.test.ts`], results: name, rest: [...quick, ...given] };
  const [number, ...others] = rest;
  const shard = shardsOf(path)[Number(number) - 1] ?? [];
  return { files: shard, results: `${name}-${number}`, rest: [...quick, ...others] };
}

const { files, results: resultsName, rest } = chosen();
const results = join(workspaceRoot, '.test-results', `${resultsName}.json`);
mkdirSync(dirname(results), { recursive: true });
rmSync(results, { force: true });

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
      // Types are stripped once for all processes.
      NODE_COMPILE_CACHE: compileCache,
    },
  },
);
const told = existsSync(results) ? readJson(results) : { passed: 0, failed: 0, skipped: 0 };
// Without a test that failed nothing is run again: a flaky test elsewhere must not hide that this package failed.
const onlyLong = rest.includes('--invert') && files.every((file) => longTestFiles(path).includes(file));
if ((code !== 0 || (told.passed + told.skipped === 0 && !onlyLong)) && told.failed === 0)
  writeFileSync(results, JSON.stringify({ ...told, failed: 1 }));
process.exitCode = code;
