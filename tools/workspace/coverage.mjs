/**
 * Coverage of the packages of the core by their own tests, measured by c8: fails if fewer lines are reached than the floor
 * says. `npm run test:all` runs it.
 */
import { spawnSync } from 'node:child_process';
import { workspaceEnvironment } from './node-path.mjs';
import { readPackages, workspaceRoot } from './packages.mjs';

/** Percentage of lines. Raise it when the coverage has risen. */
const floor = 96;

const core = readPackages().filter(({ layer }) => layer === 'core');
const { status } = spawnSync(
  'c8',
  [
    ...core.flatMap(({ path }) => ['--include', `${path}/src/**`]),
    ...[
      '--check-coverage',
      '--lines',
      `${floor}`,
      '--reporter',
      'text-summary',
      '--temp-directory',
      '.test-results/coverage',
    ],
    ...['mocha', '--reporter', 'dot', ...core.map(({ path }) => `${path}/test/**/*.test.ts`)],
  ],
  { cwd: workspaceRoot, env: workspaceEnvironment(), stdio: 'inherit', shell: process.platform === 'win32' },
);
process.exitCode = status ?? 1;
