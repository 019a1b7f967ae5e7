/** Runs mutation tests on a sample of the mutants of one package. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { candidatesOf, type Candidate } from './candidates.ts';
import { testsFor } from './coverage.ts';
import { equivalentOf, staleAmong, type Equivalent } from './equivalents.ts';
import { TestProcesses } from './in-process/test-processes.ts';
import { inTurn } from './in-turn.ts';
import { judge } from './judge.ts';
import { measure } from './measure.ts';
import { randomOf, sample } from './random.ts';

/** Options for sampling mutants and running tests. */
export interface Options {
  readonly root: string;
  readonly count: number;
  readonly seed: number;
  readonly jobs: number;
  /** Known equivalent mutants, which tests need not kill. */
  readonly known: readonly Equivalent[];
  /** If true, tests the mutants in `known` instead of a sample. A mutant that is killed must not be listed. */
  readonly listed: boolean;
  /** Called for each mutant that survives or has an inconclusive result. */
  readonly onSurvivor: (candidate: Candidate, verdict: 'survived' | 'late') => void;
  /** Called for each other mutant that was tested. */
  readonly onKill: (candidate: Candidate) => void;
  /** Called for each entry of `known` for this package that matches no mutant. */
  readonly onStale: (entry: Equivalent) => void;
}

/** Number of mutants by verdict. */
export interface Counts {
  killed: number;
  /** Number of `killed` mutants whose tests were in an infinite loop. */
  loops: number;
  /** Number of inconclusive results, where the tests timed out but were not in an infinite loop. Not included in `killed`. */
  late: number;
  survived: number;
  equivalent: number;
}

/** Returns the percentage of killed mutants among the tested mutants, including mutants with an inconclusive result. */
export function shareOf({ killed, survived, late }: Counts): number {
  const tried = killed + survived + late;
  return tried === 0 ? 100 : (100 * killed) / tried;
}

/** Tests a random sample of the mutants of `folder`, such as `libs/base`. */
export async function testPackage(folder: string, options: Options): Promise<Counts> {
  const { root, count, seed, jobs, known, listed, onSurvivor, onKill, onStale } = options;
  const counts: Counts = { killed: 0, loops: 0, late: 0, survived: 0, equivalent: 0 };
  const candidates = candidatesOf(root, folder);
  for (const entry of staleAmong(known, folder, candidates)) onStale(entry);
  const isKnown = (candidate: Candidate): boolean => equivalentOf(known, candidate) !== undefined;
  const chosen = listed ? candidates.filter(isKnown) : sample(randomOf(seed), candidates, count);
  if (chosen.length === 0) return counts;
  const processes = new TestProcesses(root, folder);
  const tests = await measure(root, folder, jobs, processes);
  await inTurn(chosen, jobs, async (candidate) => {
    if (!listed && isKnown(candidate)) {
      counts.equivalent++;
      return;
    }
    const file = join(root, candidate.file);
    const needed = testsFor(tests, pathToFileURL(file).href, candidate.mutation.start);
    const mutant = { ...candidate.mutation, file };
    const verdict = await processes.use((beside) => judge(root, mutant, needed, beside));
    if (verdict === 'survived' || verdict === 'late') {
      counts[verdict]++;
      onSurvivor(candidate, verdict);
    } else {
      counts.killed++;
      if (verdict === 'loop') counts.loops++;
      onKill(candidate);
    }
  });
  processes.end();
  return counts;
}
