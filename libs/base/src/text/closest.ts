/** Suggests the known name that is closest to an unknown name. */
import { numberAt } from '../collections/bounded.ts';

/**
 * Returns the candidate with the smallest edit distance. The distance must be at most `maxDistance` and at most a third of the name length.
 * Otherwise, returns `null`.
 */
export function closest(name: string, candidates: readonly string[], maxDistance: number): string | null {
  let best: string | null = null;
  let bestDistance = Math.min(maxDistance, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name, candidate);
    if (distance >= bestDistance) continue;
    bestDistance = distance;
    best = candidate;
  }
  return best;
}

/** Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = numberAt(row, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, numberAt(row, j) + 1, numberAt(next, j - 1) + 1));
    }
    row = next;
  }
  return numberAt(row, to.length);
}
