/** Runs package tests against the installed packages. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Published } from '../libraries/published.ts';
import { workspaceRoot } from '../workspace.ts';
import { aboutTheWorkspace } from './about-the-workspace.ts';

/** Number of passed, failed and skipped tests. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Runs the tests of two packages at a time on two CPUs. Prints failures. */
export async function runTests(prefix: string, packages: readonly Published[]): Promise<Counts> {
  const total: Counts = { passed: 0, failed: 0, skipped: 0 };
  const waiting = packages.map(({ path }) => path).filter((path) => existsSync(join(prefix, path, 'test')));
  const next = async (): Promise<void> => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const { counts, output } = await runOne(prefix, path);
      console.log(`${counts.failed === 0 ? 'ok    ' : 'FAILED'} ${path} (${counts.passed} passed)`);
      if (counts.failed > 0) console.log(output);
      for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key];
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, next));
  return total;
}

/** Runs the tests of one package in a separate process. */
async function runOne(prefix: string, path: string): Promise<{ readonly counts: Counts; readonly output: string }> {
  const results = join(prefix, `${path.replaceAll('/', '_')}.json`);
  const args = [
    join(prefix, 'node_modules/mocha/bin/mocha.js'),
    ...['--forbid-only', '--exit', '--timeout', '120000', '--require', '@sluice/testing/root-hooks'],
    ...['--reporter', join(workspaceRoot, 'tools/workspace/reporter.cjs')],
    ...aboutTheWorkspace.flatMap((file) => ['--ignore', file]),
    `${path}/test/**/*.test.ts`,
  ];
  const child = spawn(process.execPath, args, {
    cwd: prefix,
    env: { ...environmentOfPacked(prefix), SLUICE_TEST_RESULTS: results },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  const counts = existsSync(results)
    ? (JSON.parse(readFileSync(results, 'utf8')) as Counts)
    : { passed: 0, failed: 1, skipped: 0 };
  return { counts, output };
}

/** Returns environment variables that make a process load the installed packages instead of the sources. */
export function environmentOfPacked(prefix: string, sources: string = prefix): NodeJS.ProcessEnv {
  const hooks = pathToFileURL(join(workspaceRoot, 'tools/packaging/src/packed/hooks.ts')).href;
  return { ...process.env, NODE_OPTIONS: `--import=${hooks}`, SLUICE_PACKED: prefix, SLUICE_PACKED_SOURCES: sources };
}
