import type { TestFile } from './coverage.ts';
import type { TestProcess } from './in-process/test-process.ts';
import type { MutantInFile } from './load-mutant.ts';
import { runTests, type Verdict } from './run-tests.ts';

/** Timeout of a test, relative to the duration of its whole file without a mutant. `extra` is in milliseconds. */
const allowance = { factor: 20, extra: 5000 };

function timeoutFor({ duration }: TestFile): number {
  return allowance.extra + allowance.factor * duration;
}

function runApart(root: string, mutant: MutantInFile, tests: readonly TestFile[]): Promise<Verdict> {
  const timeouts = tests.map(timeoutFor);
  // Each file may take as long as one test timeout. The sum includes twice the longest timeout, because a test may time out in its body and
  // again in its cleanup.
  const limit = timeouts.reduce((sum, each) => sum + each, 2 * Math.max(...timeouts));
  return runTests({ root, mutant, timeout: Math.max(...timeouts), limit, tests: tests.map(({ path }) => path) });
}

/** Runs the tests that can share a process first, because they kill most mutants quickly. */
export async function judge(
  root: string,
  mutant: MutantInFile,
  tests: readonly TestFile[],
  beside: TestProcess,
): Promise<Verdict> {
  const quick = tests.filter(({ apart }) => !apart);
  if (quick.length > 0) {
    const outcome = await beside.try({
      kind: 'trial',
      mutant,
      tests: quick.map((each) => ({ path: each.path, timeout: timeoutFor(each) })),
    });
    const isUnclear = outcome === 'spoilt' || outcome === 'gone';
    const verdict = isUnclear ? await runApart(root, mutant, quick) : outcome;
    if (verdict !== 'survived') return verdict;
  }
  const slow = tests.filter(({ apart }) => apart);
  return slow.length > 0 ? runApart(root, mutant, slow) : 'survived';
}
