/** Runs test files of a package, against a mutant or without one. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MutantInFile } from './load-mutant.ts';
import { loopSignal } from './loops/watch-for-loops.ts';

/**
 * `killed`: a test failed. `loop`: the tests never end, which a test runner would notice as well. `late`: they have not ended
 * in time, but not for a loop; that says nothing of the mutant.
 */
export type Verdict = 'killed' | 'loop' | 'late' | 'survived';

/** What to run. */
export interface Run {
  /** The workspace, with `.mocharc.json`. */
  readonly root: string;
  /** Test files, relative to the workspace. */
  readonly tests: readonly string[];
  /** When a test has failed by waiting, in milliseconds. */
  readonly timeout: number;
  /** When to give up, in milliseconds. */
  readonly limit: number;
  readonly mutant?: MutantInFile;
  /** Where V8 shall write its coverage. */
  readonly coverage?: string;
}

const loader = fileURLToPath(new URL('load-mutant.ts', import.meta.url));
/** Started as it is: the command `mocha` would start a process of its own for it. */
const mocha = createRequire(import.meta.url).resolve('mocha/lib/cli/cli.js');
/** What V8 compiled, but for the file of the mutant, is the same in all runs. Counts of coverage are exact without it only. */
const compiled = join(tmpdir(), 'sluice-mutation-compiled');

/** Runs until the first failure. */
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
      // The group: tests start processes of their own.
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
