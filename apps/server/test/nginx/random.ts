/** Runs random configurations on nginx and on Sluice. */
import { isDeepStrictEqual } from 'node:util';
import { withoutDeclared } from './declared.ts';
import { generateCase } from './generate.ts';
import type { Pair } from './pair.ts';

/** Counts, and the first differences as text. */
export interface Played {
  configurations: number;
  requests: number;
  readonly differences: string[];
}

/** Runs the configurations of these seeds until there are ten differences. */
export async function playRandom(pair: Pair, from: number, count: number): Promise<Played> {
  const played: Played = { configurations: 0, requests: 0, differences: [] };
  for (let seed = from; seed < from + count && played.differences.length < 10; seed++) {
    const each = generateCase(seed);
    const { theirs, ours, warnings } = await pair.play(each);
    // A warning documents this difference: `satisfy any` with a password and a service requires both.
    if (warnings.some((warning) => warning.includes('must pass both'))) continue;
    played.configurations++;
    played.requests += each.requests.length;
    for (const [i, request] of each.requests.entries()) {
      const { source } = request;
      const [left, right] = withoutDeclared(theirs[i]!, ours[i]!, { text: each.text, ...request });
      if (isDeepStrictEqual(left, right)) continue;
      played.differences.push(
        `seed ${seed}, ${source}\nnginx ${JSON.stringify(left)}\nhere  ${JSON.stringify(right)}\n${each.text}`,
      );
      break;
    }
  }
  return played;
}
