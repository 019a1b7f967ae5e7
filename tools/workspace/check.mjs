/**
 * `node check.mjs <name> [package directory]` runs one of the checks in `checks.mjs`. nx targets call it. It prints only the output of the
 * check. The result is saved in `.test-results/checks`, where `npm test` reads it.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commandOfCheck, resultFile } from './checks.mjs';
import { workspaceEnvironment } from './node-path.mjs';
import { workspaceRoot } from './packages.mjs';

const [name = '', path] = process.argv.slice(2);
const [command = '', ...rest] = commandOfCheck(name, path) ?? [];
if (command === '') {
  console.error(`unknown check ${name}: see tools/workspace/checks.mjs`);
  process.exit(2);
}
const file = join(workspaceRoot, '.test-results', resultFile(name, path));
mkdirSync(dirname(file), { recursive: true });
rmSync(file, { force: true });
// Each thread of the type-aware linter rechecks shared types, and its garbage collector takes a third of the time. Limiting both saves 60 %
// of the CPU time. For parallelism, nx checks several packages concurrently.
const environment = name.startsWith('lint') ? { GOMAXPROCS: '1', GOGC: '400' } : { GOGC: '400' };
const { status, stdout, stderr, error } = spawnSync(command, rest, {
  cwd: workspaceRoot,
  env: { ...workspaceEnvironment(), ...environment },
  encoding: 'utf8',
  maxBuffer: 1 << 26,
  shell: process.platform === 'win32',
});
const output = status === 0 ? '' : [stdout, stderr, error?.message].filter(Boolean).join('\n');
if (output !== '') console.log(output);
writeFileSync(file, JSON.stringify({ passed: status === 0, output }));
process.exitCode = status ?? 1;
