/** Computes the times of renewals and retries. */

const minute = 60_000;

/** Tolerance for certificates that are not yet valid, in milliseconds. Issuers' clocks can differ slightly. */
const notBeforeTolerance = minute;

/** Reports whether a certificate is valid at a time. The start is checked too, because the clock may have jumped. */
export function isValidAt(life: { readonly notBefore: number; readonly notAfter: number }, now: number): boolean {
  return now < life.notAfter && !isTooEarly(life, now);
}

/** Reports whether a certificate is not yet valid. This happens if the clock was ahead when the certificate was created. */
export function isTooEarly({ notBefore }: { readonly notBefore: number }, now: number): boolean {
  return notBefore > now + notBeforeTolerance;
}

/** Delays after the first, second and further failures, in minutes. The last delay applies to all later failures. */
const waits: readonly number[] = [1, 2, 2, 5, 10, 10, 20, 20, 30, 30, 60, 60, 120, 180, 360];

/** Returns the time of the next attempt after a number of consecutive failures. Adds 10% jitter, so that names do not retry simultaneously. */
export function retryAt(failures: number, now: number): number {
  const wait = (waits[Math.min(failures, waits.length) - 1] ?? 1) * minute;
  return now + wait * (0.9 + Math.random() * 0.2);
}

/** Clamps a stored time from {@link retryAt}. Returns the current time if the stored time is too far in the future, as after the clock was set back. */
export function boundedRetry(at: number, now: number): number {
  return at > now + (waits.at(-1) ?? 1) * minute * 1.1 ? now : at;
}

/**
 * Returns a random renewal time for a certificate. The renewal window is the last `ratio` of the certificate's lifetime. The time is in the
 * first tenth of this window. Times are in milliseconds since the Unix epoch.
 */
export function renewalTime(notBefore: number, notAfter: number, ratio: number): number {
  const window = (notAfter - notBefore) * ratio;
  return notAfter - window + window * 0.1 * Math.random();
}

/**
 * Returns a random time between `start` and `end`. If the previous choice `before` is still in this range, keeps it. Never returns a time
 * after the certificate expires.
 */
export function momentIn(start: number, end: number, before: number, notAfter: number): number {
  const last = Math.min(end, notAfter);
  if (before >= start && before <= last) return before;
  return Math.min(last, start + Math.random() * Math.max(0, last - start));
}

/**
 * Limits a renewal time that the issuer suggests. The result is not before `earliest`, and not after the middle of the default renewal
 * window. This leaves time to retry after failures.
 */
export function boundedRenewal(
  suggested: number,
  earliest: number,
  { notBefore, notAfter, ratio }: { readonly notBefore: number; readonly notAfter: number; readonly ratio: number },
): number {
  return Math.min(Math.max(suggested, earliest), notAfter - ((notAfter - notBefore) * ratio) / 2);
}
