/** Generates pairs and sends them through a server. */
import { makeResponse } from './response-generator.ts';
import { ask } from './client.ts';
import { observe, type Observation } from './observation.ts';
import type { Pair } from './pair.ts';
import { Random } from './random.ts';
import { makeRequest } from './request-generator.ts';
import { routeNames } from './routes.ts';
import type { RawUpstream } from './upstream.ts';

/** Number of pairs sent concurrently. */
const atOnce = 8;

/** Generates the pairs for a seed. A larger count yields the same pairs followed by additional pairs. */
export function makePairs(seed: number, count: number): Pair[] {
  return Array.from({ length: count }, (_, number) => {
    const random = new Random(seed * 1_000_003 + number);
    const route = random.chance(0.5) ? 'plain' : random.pick(routeNames);
    const { method, bytes, notes } = makeRequest(random, route, number);
    const { response, notes: more } = makeResponse(random, method);
    return { number, route, method, request: bytes, response, notes: [...notes, ...more] };
  });
}

/** Sends pairs through the server on a port. The server forwards them to the upstream. */
export async function play(
  pairs: readonly Pair[],
  port: number,
  upstream: RawUpstream,
  upstreamPort: number,
): Promise<Observation[]> {
  const observations: Observation[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    for (let index = next++; index < pairs.length; index = next++) {
      const pair = pairs[index] as Pair;
      upstream.expect(pair);
      const heard = await ask(port, pair);
      observations[index] = observe(upstream.take(pair), heard, upstreamPort);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, run));
  return observations;
}
