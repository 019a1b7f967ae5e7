/** When certificates are renewed, and failed attempts repeated. */

const minute = 60_000;

/** How far a certificate may begin in the future, in milliseconds: clocks of issuers differ by a little. */
const beginTolerance = minute;

/** Whether a certificate is valid, seen both ways: the clock may have jumped. */
export function isValidAt(life: { readonly notBefore: number; readonly notAfter: number }, now: number): boolean {
  return now < life.notAfter && !isTooEarly(life, now);
}

/** Whether a certificate is not valid yet: it was made by a clock that was ahead. */
export function isTooEarly({ notBefore }: { readonly notBefore: number }, now: number): boolean {
  return notBefore > now + beginTolerance;
}

/** Waits after the first, second … failure, in minutes; the last one is for all further ones. */
const waits: readonly number[] = [1, 2, 2, 5, 10, 10, 20, 20, 30, 30, 60, 60, 120, 180, 360];

/** When to try again after some failures in a row, with a tenth of chance so that names do not march in step. */
export function retryAt(failures: number, now: number): number {
  const wait = (waits[Math.min(failures, waits.length) - 1] ?? 1) * minute;
  return now + wait * (0.9 + Math.random() * 0.2);
}

/** What {@link retryAt} has said, or now where that is further away than it ever says: the clock was set back since. */
export function retryStillAt(at: number, now: number): number {
  return at > now + (waits.at(-1) ?? 1) * minute * 1.1 ? now : at;
}

/**
 * When a certificate is renewed: in the last `ratio` of its life, within the first tenth of that, by chance. Times in
 * milliseconds since 1970.
 */
export function renewalTime(notBefore: number, notAfter: number, ratio: number): number {
  const window = (notAfter - notBefore) * ratio;
  return notAfter - window + window * 0.1 * Math.random();
}

/**
 * A moment between two, by chance. What was chosen before holds if it is between them still; nothing is chosen after the
 * end of the certificate.
 */
export function momentIn(start: number, end: number, before: number, notAfter: number): number {
  const last = Math.min(end, notAfter);
  if (before >= start && before <= last) return before;
  return Math.min(last, start + Math.random() * Math.max(0, last - start));
}

/**
 * Returns the suggested moment of a renewal, but not before `earliest`, and not after half of the default renewal window: failed attempts
 * need time, whatever the issuer suggests.
 */
export function boundedRenewal(
  suggested: number,
  earliest: number,
  { notBefore, notAfter, ratio }: { readonly notBefore: number; readonly notAfter: number; readonly ratio: number },
): number {
  return Math.min(Math.max(suggested, earliest), notAfter - ((notAfter - notBefore) * ratio) / 2);
}
