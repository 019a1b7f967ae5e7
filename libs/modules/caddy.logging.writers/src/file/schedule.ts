/** When a file is due to be rolled. */

/** Clock times are those of UTC, or of the machine where `local` is set. */
export interface Schedule {
  /** Milliseconds; 0: not by age. */
  readonly interval: number;
  /** Minutes of the day, ascending. */
  readonly minutes: readonly number[];
  readonly local: boolean;
}

/** The next moment after `now`, in milliseconds since 1970; never if there is neither interval nor clock time. */
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
/** Days of local time may be longer, when summer ends. */
const longestDay = day + 3_600_000;

/** How far away {@link nextRoll} may be. */
export function longestWait({ interval, minutes }: Schedule): number {
  const next = interval > 0 ? interval : Number.POSITIVE_INFINITY;
  return minutes.length > 0 ? Math.min(next, longestDay) : next;
}
