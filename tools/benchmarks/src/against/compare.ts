/** Compares the server with that of another commit, by pairs of measurements that were taken one after the other. */
import { native } from '../contestants.ts';
import { measure, type Measurements } from '../measure.ts';
import type { Scenario } from '../scenarios.ts';
import { ownServer } from '../servers.ts';
import { typicalRatio, verdictOn, type Interval, type Verdict } from '../statistics.ts';

/** What came of one scenario; ratios of this commit to the other, more is better. */
export interface Comparison {
  readonly name: string;
  readonly cost: Interval;
  readonly rate: Interval;
  /** NaN where there is no perf. */
  readonly instructions: Interval;
  /** By processor time: it depends least on what else the machine does. */
  readonly verdict: Verdict;
}

/**
 * Compares two commits in one scenario. Both servers are started again for each pair, as some processes are slower than
 * others of the same server for all their life; they take turns in going first.
 */
export async function compareWith(
  root: string,
  scenario: Scenario,
  pairs: number,
  seconds: number,
): Promise<Comparison> {
  const ours: Measurements[] = [];
  const theirs: Measurements[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const both = [ownServer('sluice'), ownServer('other', root)].map((server) => native(server));
    const order = pair % 2 === 0 ? both : both.toReversed();
    const result = await measure(scenario, order, {
      rounds: 2,
      seconds,
      warmUp: 1,
      latencyRounds: 0,
      countsInstructions: true,
    });
    ours.push(result.get('sluice') as Measurements);
    theirs.push(result.get('other') as Measurements);
  }
  return comparisonOf(scenario.name, ours, theirs);
}

/** Judges pairs of measurements; those of one pair count as one. */
export function comparisonOf(name: string, ours: readonly Measurements[], theirs: readonly Measurements[]): Comparison {
  const ratio = (key: 'rates' | 'costs' | 'instructions', better: 'more' | 'less'): Interval =>
    typicalRatio(
      ours.map((mine, i) => {
        const [one, other] = [mean(mine[key]), mean(theirs[i]?.[key] ?? [])];
        return better === 'more' ? one / other : other / one;
      }),
    );
  const cost = ratio('costs', 'less');
  return {
    name,
    cost,
    rate: ratio('rates', 'more'),
    instructions: ratio('instructions', 'less'),
    verdict: verdictOn(cost),
  };
}

/** One line that says what came of it. */
export function described({ name, cost, rate, instructions, verdict }: Comparison): string {
  const said = ({ low, middle, high }: Interval): string =>
    `${middle.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
  return `${name}: ${verdict}; by processor time ${said(cost)}, by requests per second ${said(rate)}, by instructions ${said(instructions)}`;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
