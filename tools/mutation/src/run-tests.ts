/** Runs test files of a package, with or without a mutant. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MutantInFile } from './load-mutant.ts';
import { loopSignal } from './loops/watch-for-loops.ts';

/**
 * `killed`: a test failed. `loop`: the tests loop forever, which also counts as detected. `late`: the tests timed out without a loop, which
 * is inconclusive.
 */
export type Verdict = 'killed' | 'loop' | 'late' | 'survived';

/** Parameters of a run. */
export interface Run {
  /** The workspace, with `.mocharc.json`. */
  readonly root: string;
  /** Test files, relative to the workspace. */
  readonly tests: readonly string[];
  /** Timeout per test, in milliseconds. */
  readonly timeout: number;
  /** Timeout of the run, in milliseconds. */
  readonly limit: number;
  readonly mutant?: MutantInFile;
  readonly coverage?: string;
}

const loader = fileURLToPath(new URL('load-mutant.ts', import.meta.url));
/** Runs mocha directly, because the `mocha` command would start another process. */
const mocha = createRequire(import.meta.url).resolve('mocha/lib/cli/cli.js');
/**
 * Compile cache, shared by all runs because only the mutant's file differs. Exact coverage requires running without it.
 */
const compiled = join(tmpdir(), 'sluice-mutation-compiled');

/** Runs tests until the first failure. */
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
      // Kills the process group, because tests start processes.
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
