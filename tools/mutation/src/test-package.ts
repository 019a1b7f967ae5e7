/** Tries a sample of the mutants of one package. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { candidatesOf, type Candidate } from './candidates.ts';
import { measure, testsFor } from './coverage.ts';
import { equivalentOf, staleAmong, type Equivalent } from './equivalents.ts';
import { inTurn } from './in-turn.ts';
import { randomOf, sample } from './random.ts';
import { runTests } from './run-tests.ts';

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
    const duration = needed.reduce((sum, each) => sum + each.duration, 0);
    const verdict = await runTests({
      root,
      tests: needed.map(({ path }) => path),
      limit: patience.extra + patience.factor * duration,
      mutant: { ...candidate.mutation, file },
    });
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
