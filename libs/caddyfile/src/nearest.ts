/** Finds the known name that is most similar to a misspelled name. */

/** Returns the most similar of `names`. Returns `null` if none is similar enough. */
export function nearest(name: string, names: Iterable<string>): string | null {
  const limit = Math.max(1, Math.floor(name.length / 3));
  let best: string | null = null;
  let least = limit + 1;
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const steps = distance(name, candidate);
    if (steps < least) {
      best = candidate;
      least = steps;
    }
  }
  return best;
}

/** Returns the edit distance: the number of letters to insert, delete, replace, or swap with a neighbor. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let steps = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        steps = Math.min(steps, (before[j - 2] ?? 0) + 1);
      next.push(steps);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
