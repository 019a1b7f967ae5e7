/**
 * `node mocha.mjs <package directory> [--shard N | --trials | --long] [--again <files> | mocha arguments]` runs the tests of one package
 * from sources, without a build. The targets `test`, `test-N`, `trial` and `long` call it. Test counts are written to
 * `.test-results/<name>.json`, and `npm test` adds them up. Tests with `@long` in their title run only with `--long`.
 * - `--shard N`: runs the files of one shard (`shards.mjs`). Counts are in `<name>-N.json`.
 * - `--trials`: runs the files `*.trial.ts`, as `npm run test:all` does. Counts are in `<name>-trial.json`.
 * - `--long`: runs tests with `@long` in their title, as `npm run test:all` does. Counts are in `<name>-long.json`.
 * - `--again <files>`: runs only these files. Counts are in `again/<name>.json`.
 */
import { mkdirSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { needsPackage, readJson, readPackages, workspaceRoot } from './packages.mjs';
import { workspaceEnvironment } from './node-path.mjs';
import { run } from './run.mjs';
import { longTestFiles, shardsOf } from './shards.mjs';
import { builtEngine } from './waf-engine.mjs';

const [path = '', ...given] = process.argv.slice(2);
const name = basename(path);
const found = readPackages().find((each) => each.path === path);

const long = ['--grep', '@long'];
const quick = [...long, '--invert'];

/** Returns the files to run, the suffix of the counts file, the Mocha filter, and other arguments for Mocha. */
function chosen() {
  const [option, ...rest] = given;
  if (option === '--trials') return { files: [`${path}/test/**/*.trial.ts`], suffix: '-trial', filter: [], rest };
  if (option === '--long') return { files: longTestFiles(path), suffix: '-long', filter: long, rest };
  if (option !== '--shard') return { files: [`${path}/test/**/*.test.ts`], suffix: '', filter: quick, rest: given };
  const [number, ...others] = rest;
  return { files: shardsOf(path)[Number(number) - 1] ?? [], suffix: `-${number}`, filter: quick, rest: others };
}

const { suffix, filter, ...selection } = chosen();
const again = selection.rest[0] === '--again';
const files = again ? selection.rest.slice(1) : selection.files;
const rest = [...filter, ...(again ? [] : selection.rest)];
const resultsName = again ? `again/${name}` : `${name}${suffix}`;
const results = join(workspaceRoot, '.test-results', `${resultsName}.json`);
mkdirSync(dirname(results), { recursive: true });
rmSync(results, { force: true });

const packaged = found !== undefined && needsPackage(found);
// If nx runs this script, nx has already built the package.
if (packaged && process.env.NX_TASK_TARGET_PROJECT === undefined)
  await run('nx', ['run', 'packaging:package', '--outputStyle=static'], { output: () => undefined });

const engine = builtEngine();
const compileCache = join(workspaceRoot, 'node_modules/.cache/sluice');
const environment = workspaceEnvironment();
const options = process.env.NODE_OPTIONS ?? '';
// The command `mocha` would start a second process, because `.mocharc.json` has options for Node. NODE_OPTIONS contains them.
const code = await run(
  'node',
  [
    join(workspaceRoot, 'node_modules/mocha/lib/cli/cli.js'),
    '--reporter',
    join(workspaceRoot, 'tools/workspace/reporter.cjs'),
    ...files,
    ...rest,
  ],
  {
    environment: {
      ...environment,
      NODE_OPTIONS: options.includes('@sluice/source') ? options : `${options} --conditions=@sluice/source`.trim(),
      SLUICE_TEST_RESULTS: results,
      ...(packaged && { SLUICE_PACKAGED: '1' }),
      ...(engine !== null && { SLUICE_WAF_ENGINE: engine }),
      // All processes share one compile cache of type-stripped sources.
      NODE_COMPILE_CACHE: compileCache,
    },
  },
);
const told = existsSync(results) ? readJson(results) : { passed: 0, failed: 0, skipped: 0 };
// Reruns files only if a test failed. A flaky test elsewhere could otherwise hide a failure of this package.
const onlyLong = filter === quick && files.every((file) => longTestFiles(path).includes(file));
if ((code !== 0 || (told.passed + told.skipped === 0 && !onlyLong)) && told.failed === 0)
  writeFileSync(results, JSON.stringify({ ...told, failed: 1 }));
process.exitCode = code;
