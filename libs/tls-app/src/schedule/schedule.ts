/** Schedules renewals and retries. */

const minute = 60_000;

/** Tolerance in milliseconds for certificates that are not valid yet, because clocks of issuers differ slightly. */
const notBeforeTolerance = minute;

/** Reports whether a certificate is valid at a time. Both limits are checked, because the clock may have jumped. */
export function isValidAt(life: { readonly notBefore: number; readonly notAfter: number }, now: number): boolean {
  return now < life.notAfter && !isTooEarly(life, now);
}

/** Reports whether a certificate is not valid yet because it was created by a clock that was ahead. */
export function isTooEarly({ notBefore }: { readonly notBefore: number }, now: number): boolean {
  return notBefore > now + notBeforeTolerance;
}

/** Delays after the first, second … failure, in minutes. The last one applies to all later failures. */
const waits: readonly number[] = [1, 2, 2, 5, 10, 10, 20, 20, 30, 30, 60, 60, 120, 180, 360];

/** Returns the time of the next attempt after consecutive failures, with 10% jitter so that names do not retry simultaneously. */
export function retryAt(failures: number, now: number): number {
  const wait = (waits[Math.min(failures, waits.length) - 1] ?? 1) * minute;
  return now + wait * (0.9 + Math.random() * 0.2);
}

/** Returns a time from {@link retryAt}; now if it is too far away because the clock was set back. */
export function boundedRetry(at: number, now: number): number {
  return at > now + (waits.at(-1) ?? 1) * minute * 1.1 ? now : at;
}

/**
 * Returns the renewal time of a certificate: a random time in the first tenth of the last `ratio` of its lifetime. Times are in
 * milliseconds since 1970.
 */
export function renewalTime(notBefore: number, notAfter: number, ratio: number): number {
  const window = (notAfter - notBefore) * ratio;
  return notAfter - window + window * 0.1 * Math.random();
}

/**
 * Returns a random time between two times. Keeps the previous choice if the choice is still in range. Never returns a time after the
 * certificate expires.
 */
export function momentIn(start: number, end: number, before: number, notAfter: number): number {
  const last = Math.min(end, notAfter);
  if (before >= start && before <= last) return before;
  return Math.min(last, start + Math.random() * Math.max(0, last - start));
}

/**
 * Returns the suggested renewal time, but not before `earliest`, and not after half of the default renewal window, which leaves time for
 * failed attempts.
 */
export function boundedRenewal(
  suggested: number,
  earliest: number,
  { notBefore, notAfter, ratio }: { readonly notBefore: number; readonly notAfter: number; readonly ratio: number },
): number {
  return Math.min(Math.max(suggested, earliest), notAfter - ((notAfter - notBefore) * ratio) / 2);
}
