/** Tries a sample of the mutants of one package. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { candidatesOf, type Candidate } from './candidates.ts';
import { measure, testsFor } from './coverage.ts';
import { equivalentOf, staleAmong, type Equivalent } from './equivalents.ts';
import { inTurn } from './in-turn.ts';
import type { MutantInFile } from './load-mutant.ts';
import { randomOf, sample } from './random.ts';
import { runTests, type Run, type Verdict } from './run-tests.ts';

/** How a sample is taken and run. */
export interface Options {
  readonly root: string;
  readonly count: number;
  readonly seed: number;
  readonly jobs: number;
  /** Mutants that need not die. */
  readonly known: readonly Equivalent[];
  /** Tries those of `known` in place of a sample: one that is killed is in the wrong list. */
  readonly listed: boolean;
  /** Called for each mutant that survives. */
  readonly onSurvivor: (candidate: Candidate) => void;
  /** Called for each other one that is tried. */
  readonly onKill: (candidate: Candidate) => void;
  /** Called for each entry of `known` that is of this package and fits none of its mutants. */
  readonly onStale: (entry: Equivalent) => void;
}

/** What became of the mutants. */
export interface Counts {
  killed: number;
  /** Part of `killed`: those that ended the tests by taking too long. */
  late: number;
  survived: number;
  equivalent: number;
}

/** How many of the mutants that can be killed are, in percent. */
export function shareOf({ killed, survived }: Counts): number {
  return killed + survived === 0 ? 100 : (100 * killed) / (killed + survived);
}

/** A run may take five times as long as without a mutant; the rest is for the start of the process. */
const patience = { factor: 5, extra: 3000 };

function limitFor(duration: number): number {
  return patience.extra + patience.factor * duration;
}

/**
 * Runs tests against a mutant. One that is late may be so because the machine is busy with other things: what the tests
 * take without it is measured again, and it gets another try where that is longer by now.
 */
async function judge(run: Pick<Run, 'root' | 'tests'>, mutant: MutantInFile, limit: number): Promise<Verdict> {
  const verdict = await runTests({ ...run, mutant, limit });
  if (verdict !== 'timeout') return verdict;
  const begun = performance.now();
  await runTests({ ...run, limit: 10 * limit });
  const longer = limitFor(performance.now() - begun);
  return longer > limit ? runTests({ ...run, mutant, limit: longer }) : verdict;
}

/** Runs the tests of `folder` (such as `libs/base`) against a sample of its mutants. */
export async function testPackage(folder: string, options: Options): Promise<Counts> {
  const { root, count, seed, jobs, known, listed, onSurvivor, onKill, onStale } = options;
  const counts: Counts = { killed: 0, late: 0, survived: 0, equivalent: 0 };
  const candidates = candidatesOf(root, folder);
  for (const entry of staleAmong(known, folder, candidates)) onStale(entry);
  const isKnown = (candidate: Candidate): boolean => equivalentOf(known, candidate) !== undefined;
  const chosen = listed ? candidates.filter(isKnown) : sample(randomOf(seed), candidates, count);
  if (chosen.length === 0) return counts;
  const tests = await measure(root, folder, jobs);
  await inTurn(chosen, jobs, async (candidate) => {
    if (!listed && isKnown(candidate)) {
      counts.equivalent++;
      return;
    }
    const file = join(root, candidate.file);
    const needed = testsFor(tests, pathToFileURL(file).href, candidate.mutation.start);
    const run = { root, tests: needed.map(({ path }) => path) };
    const duration = needed.reduce((sum, each) => sum + each.duration, 0);
    const verdict = await judge(run, { ...candidate.mutation, file }, limitFor(duration));
    if (verdict === 'survived') {
      counts.survived++;
      onSurvivor(candidate);
    } else {
      counts.killed++;
      onKill(candidate);
      if (verdict === 'timeout') counts.late++;
    }
  });
  return counts;
}
