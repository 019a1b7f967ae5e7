/**
 * Uses c8 to measure how much code of the core packages is covered by the packages' own tests. Fails if the coverage is below the minimum.
 * `npm run test:all` runs this script.
 */
import { spawnSync } from 'node:child_process';
import { workspaceEnvironment } from './node-path.mjs';
import { readPackages, workspaceRoot } from './packages.mjs';

/** Minimum percentage of covered lines. Raise it when coverage increases. */
const minimum = 96;

const layers = ['foundation', 'protocol', 'runtime', 'feature'];
const measured = readPackages().filter(({ layer }) => layers.includes(layer));
const { status } = spawnSync(
  'c8',
  [
    ...measured.flatMap(({ path }) => ['--include', `${path}/src/**`]),
    ...[
      '--check-coverage',
      '--lines',
      `${minimum}`,
      '--reporter',
      'text-summary',
      '--temp-directory',
      '.test-results/coverage',
    ],
    ...['mocha', '--reporter', 'dot', ...measured.map(({ path }) => `${path}/test/**/*.test.ts`)],
  ],
  { cwd: workspaceRoot, env: workspaceEnvironment(), stdio: 'inherit', shell: process.platform === 'win32' },
);
process.exitCode = status ?? 1;
