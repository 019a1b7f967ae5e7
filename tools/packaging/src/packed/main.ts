/**
 * `npm run test:packed [-- PACKAGE…]` packs every published package and installs the tarballs in an empty directory outside the workspace.
 * It runs the tests of the given packages, such as `libs/base`, or of all packages. It also runs the docs generator, whose output must be
 * identical. Failures that occur only here are packaging errors: a missing file, an undeclared dependency, or a broken export.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishedPackages } from '../libraries/published.ts';
import { workspaceRoot } from '../workspace.ts';
import { docsOf } from './docs.ts';
import { faultsOf } from './faults.ts';
import { makePrefix } from './prefix.ts';
import { runTests } from './run-tests.ts';

const asked = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'sluice-packed-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let failed = 0;
function check(title: string, part: () => readonly string[]): void {
  const start = performance.now();
  const faults = part();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${faults.length === 0 ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)`);
  for (const fault of faults) console.log(`       ${fault}`);
  if (faults.length > 0) failed += 1;
}

const packages = publishedPackages();
const prefix = join(folder, 'prefix');
check('all packages are built', () => {
  const { status, stdout } = spawnSync('tsc', ['-b', '--checkers', '1'], { cwd: workspaceRoot, encoding: 'utf8' });
  return status === 0 ? [] : [stdout];
});
check(`${packages.length} packages are packed and installed`, () => (makePrefix(folder, packages), []));
check('all imports are packed and declared', () => faultsOf(prefix, packages));
check('the docs that they generate match the workspace', () => docsOf(prefix));

const counts = await runTests(
  prefix,
  packages.filter(({ path }) => asked.length === 0 || asked.includes(path)),
);
failed += counts.failed;
console.log(`${counts.passed} passed, ${failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
