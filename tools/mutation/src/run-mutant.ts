/** Runs the tests of a package against one mutant. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { MutantInFile } from './load-mutant.ts';

/** `killed`: a test failed, or the run did not end in time, which a test runner would notice as well. */
export type Verdict = 'killed' | 'survived';

const loader = fileURLToPath(new URL('load-mutant.ts', import.meta.url));

/** Runs until the first failure. `tests` is a glob; `root` the workspace. */
export function runMutant(
  root: string,
  tests: string,
  mutant: MutantInFile | null,
  milliseconds: number,
): Promise<Verdict> {
  const environment = {
    ...process.env,
    NODE_OPTIONS: `--conditions=@sluice/source --import=${loader}`,
    ...(mutant === null ? {} : { SLUICE_MUTANT: JSON.stringify(mutant) }),
  };
  const child = spawn('mocha', ['--bail', '--reporter', 'dot', '--timeout', '10000', tests], {
    cwd: root,
    env: environment,
    stdio: 'ignore',
    detached: true,
  });
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(), milliseconds);
    const end = (): void => {
      // The group: tests start processes of their own.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    child.on('error', () => {
      clearTimeout(timer);
      resolve('killed');
    });
    child.on('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0 ? 'survived' : 'killed');
    });
  });
}
