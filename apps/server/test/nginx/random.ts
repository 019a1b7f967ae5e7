/** Runs randomly generated configurations on nginx and Sluice. */
import { isDeepStrictEqual } from 'node:util';
import { withoutDeclared } from './declared.ts';
import { generateCase } from './generate.ts';
import type { Pair } from './pair.ts';

/** Counters, and the first differences as text. */
export interface Played {
  configurations: number;
  requests: number;
  readonly differences: string[];
}

/** Runs the configurations of a range of seeds. Stops after ten differences. */
export async function playRandom(pair: Pair, from: number, count: number): Promise<Played> {
  const played: Played = { configurations: 0, requests: 0, differences: [] };
  for (let seed = from; seed < from + count && played.differences.length < 10; seed++) {
    const each = generateCase(seed);
    const { theirs, ours, warnings } = await pair.play(each);
    // Skips a difference that a warning documents: with `satisfy any`, a password and an auth_request service are both required.
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
