/** Rotation schedule. */

/** Rotation schedule. Times of day are in local time if `local` is true, otherwise in UTC. */
export interface Schedule {
  /** Interval between rotations, in milliseconds. 0 disables them. */
  readonly interval: number;
  /** Daily rotation times in minutes since midnight, in ascending order. */
  readonly minutes: readonly number[];
  readonly local: boolean;
}

/** Returns the time of the next rotation after `now`, in milliseconds since the Unix epoch. Infinity if there is no schedule. */
export function nextRoll(now: number, { interval, minutes, local }: Schedule): number {
  let next = interval > 0 ? now + interval : Number.POSITIVE_INFINITY;
  for (const minute of minutes) {
    const at = new Date(now);
    if (local) at.setHours(0, minute, 0, 0);
    else at.setUTCHours(0, minute, 0, 0);
    if (at.getTime() <= now) {
      if (local) at.setDate(at.getDate() + 1);
      else at.setUTCDate(at.getUTCDate() + 1);
    }
    next = Math.min(next, at.getTime());
  }
  return next;
}

const day = 86_400_000;
/** Maximum length of a local day in milliseconds: 25 hours, when daylight saving time ends. */
const maxDay = day + 3_600_000;

/** Returns the maximum distance between the current time and {@link nextRoll}, in milliseconds. */
export function maxWait({ interval, minutes }: Schedule): number {
  const next = interval > 0 ? interval : Number.POSITIVE_INFINITY;
  return minutes.length > 0 ? Math.min(next, maxDay) : next;
}
