/**
 * `node check-package.mjs <package directory>` runs the checks that need only the files of one package and the manifests of the other
 * packages: formatting, boundaries and guards.
 */
import { spawnSync } from 'node:child_process';
import { checkBoundaries } from './boundaries.mjs';
import { checkGuards } from './guards.mjs';
import { readPackages, workspaceRoot } from './packages.mjs';

const [path = ''] = process.argv.slice(2);
const from = readPackages().find((each) => each.path === path);
if (from === undefined) throw new Error(`${path} is not a package of the workspace`);
const problems = [...checkBoundaries(workspaceRoot, { only: path }), ...checkGuards(from)];
for (const problem of problems) console.error(problem);
const { status } = spawnSync('oxfmt', ['--check', '--no-error-on-unmatched-pattern', path], {
  cwd: workspaceRoot,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
process.exitCode = problems.length > 0 || status !== 0 ? 1 : 0;
