/** Compares the server with the server of another commit, in pairs of consecutive measurements. */
import { native } from '../contestants.ts';
import { measure, type Measurements } from '../measure.ts';
import type { Scenario } from '../scenarios.ts';
import { ownServer } from '../servers.ts';
import { typicalRatio, verdictOn, type Interval, type Verdict } from '../statistics.ts';

export interface Comparison {
  readonly name: string;
  readonly cost: Interval;
  readonly rate: Interval;
  /** NaN without perf. */
  readonly instructions: Interval;
  /** Verdict based on CPU time, because CPU time depends least on the machine's load. */
  readonly verdict: Verdict;
}

/**
 * Compares two commits in one scenario. Both servers are restarted for each pair, because some processes are slower than others for their
 * whole lifetime. The servers take turns starting first.
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

/** Compares the measurements pair by pair. */
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

/** Formats a comparison as one line. */
export function described({ name, cost, rate, instructions, verdict }: Comparison): string {
  const said = ({ low, middle, high }: Interval): string =>
    `${middle.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
  return `${name}: ${verdict}; by CPU time ${said(cost)}, by requests per second ${said(rate)}, by instructions ${said(instructions)}`;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
