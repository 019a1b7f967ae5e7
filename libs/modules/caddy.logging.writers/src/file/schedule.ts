/** When a file is due to be rolled. */

/** The next moment after `now`, in milliseconds since 1970; never if there is neither interval nor clock time. */
export function nextRoll(now: number, interval: number, minutes: readonly number[]): number {
  let next = interval > 0 ? now + interval : Number.POSITIVE_INFINITY;
  for (const minute of minutes) {
    const at = new Date(now);
    at.setHours(Math.floor(minute / 60), minute % 60, 0, 0);
    if (at.getTime() <= now) at.setDate(at.getDate() + 1);
    next = Math.min(next, at.getTime());
  }
  return next;
}
