/** Runs the test files of a package, with or without a mutant. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MutantInFile } from './load-mutant.ts';
import { loopSignal } from './loops/watch-for-loops.ts';

/**
 * Result of a run. `killed`: a test failed. `loop`: the tests are in an infinite loop, which also counts as detected. `late`: the tests
 * timed out but were not in an infinite loop, which is inconclusive.
 */
export type Verdict = 'killed' | 'loop' | 'late' | 'survived';

/** Parameters of a test run. */
export interface Run {
  /** Workspace directory, which contains `.mocharc.json`. */
  readonly root: string;
  /** Paths of the test files, relative to the workspace. */
  readonly tests: readonly string[];
  /** Timeout per test, in milliseconds. */
  readonly timeout: number;
  /** Timeout of the whole run, in milliseconds. */
  readonly limit: number;
  readonly mutant?: MutantInFile;
  readonly coverage?: string;
}

const loader = fileURLToPath(new URL('load-mutant.ts', import.meta.url));
/** Runs Mocha directly, because the `mocha` command would start another process. */
const mocha = createRequire(import.meta.url).resolve('mocha/lib/cli/cli.js');
/**
 * Compile cache directory, shared by all runs because only the mutated file differs. It is not used when collecting coverage, because
 * cached code has inexact coverage.
 */
const compiled = join(tmpdir(), 'sluice-mutation-compiled');

/** Runs test files until the first test fails. */
export function runTests({ root, tests, timeout, limit, mutant, coverage }: Run): Promise<Verdict> {
  const environment = {
    ...process.env,
    NODE_OPTIONS: `--conditions=@sluice/source --import=${loader}`,
    ...(mutant && { SLUICE_MUTANT: JSON.stringify(mutant) }),
    ...(coverage === undefined ? { NODE_COMPILE_CACHE: compiled } : { NODE_V8_COVERAGE: coverage }),
  };
  const child = spawn(
    process.execPath,
    [mocha, '--bail', '--reporter', 'dot', '--timeout', String(timeout), ...tests],
    {
      cwd: root,
      env: environment,
      stdio: 'ignore',
      detached: true,
    },
  );
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      // Kills the whole process group, because tests start processes.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, limit);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      const verdict = code === 0 ? 'survived' : signal === loopSignal ? 'loop' : 'killed';
      resolve(late ? 'late' : verdict);
    });
  });
}
