/**
 * `node mocha.mjs <package folder> [mocha arguments]`: runs the tests of one package against sources, without a build.
 * The target `test` calls it; the counts go to `.test-results/<folder>.json`, which npm test adds up.
 */
import { mkdirSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { workspaceRoot } from './packages.mjs';
import { workspaceEnvironment } from './node-path.mjs';
import { run } from './run.mjs';

const [path = '', ...rest] = process.argv.slice(2);
const results = join(workspaceRoot, '.test-results', `${basename(path)}.json`);
mkdirSync(join(workspaceRoot, '.test-results'), { recursive: true });
rmSync(results, { force: true });

const environment = workspaceEnvironment();
const options = process.env.NODE_OPTIONS ?? '';
const code = await run(
  'mocha',
  ['--reporter', join(workspaceRoot, 'tools/workspace/reporter.cjs'), `${path}/test/**/*.test.ts`, ...rest],
  {
    environment: {
      ...environment,
      NODE_OPTIONS: options.includes('@sluice/source') ? options : `${options} --conditions=@sluice/source`.trim(),
      SLUICE_TEST_RESULTS: results,
    },
  },
);
if (!existsSync(results)) writeFileSync(results, JSON.stringify({ passed: 0, failed: 1, skipped: 0 }));
process.exitCode = code;
