/**
 * `npm run test:packed [-- PACKAGE…]`: packs every package that is published, installs the tarballs in an empty folder outside of the
 * workspace, and runs there what the workspace runs on sources: the tests of the packages (those named, such as `libs/base`, or all),
 * and the docs, which must come out the same. What fails here alone is a mistake of packing: a file that is not packed, a
 * dependency that is not declared, an export that leads nowhere.
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
/** Does one part, and says how it ended and how long it took. */
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
check('what they import is packed and declared', () => faultsOf(prefix, packages));
check('the docs that they make are those of the workspace', () => docsOf(prefix));

const counts = await runTests(
  prefix,
  packages.filter(({ path }) => asked.length === 0 || asked.includes(path)),
);
failed += counts.failed;
console.log(`${counts.passed} passed, ${failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
