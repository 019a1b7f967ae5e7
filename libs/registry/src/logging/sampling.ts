/** Sampling: of many like entries in a short time only some are written. */
import type { LogEntry } from './logger.ts';

/** How entries are sampled; see the options of a log. */
export interface Sampling {
  readonly interval?: number | null | undefined;
  readonly first?: number | null | undefined;
  readonly thereafter?: number | null | undefined;
}

/** Tells of each entry whether it is to be written. Entries of one level and message are alike. */
export function compileSampling(sampling: Sampling | null | undefined): (entry: LogEntry) => boolean {
  if (sampling === null || sampling === undefined) return () => true;
  const interval = (sampling.interval || 1e9) / 1e6;
  const first = sampling.first || 100;
  const thereafter = sampling.thereafter || 100;
  const counts = new Map<string, number>();
  let ends = 0;
  return ({ time, level, message }) => {
    if (time >= ends) {
      counts.clear();
      ends = time + interval;
    }
    const key = `${level} ${message}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= first || (count - first) % thereafter === 0;
  };
}
