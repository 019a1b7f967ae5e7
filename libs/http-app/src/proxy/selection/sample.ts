/** Selects a random sample of upstreams. */
import type { Upstream } from '../upstream.ts';
import type { Chance } from './chance.ts';

/** Returns a random sample of the available upstreams. Every upstream is equally likely. */
export function sampleUpstreams<U extends Upstream, S>(
  upstreams: readonly U[],
  count: number,
  subject: S,
  chance: Chance<S>,
): readonly U[] {
  const chosen: U[] = [];
  let seen = 0;
  for (const upstream of upstreams) {
    if (!upstream.available) continue;
    seen++;
    if (chosen.length < count) chosen.push(upstream);
    else {
      const at = Math.floor(chance(subject) * seen);
      if (at < count) chosen[at] = upstream;
    }
  }
  return chosen;
}
