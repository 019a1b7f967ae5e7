/** The last certificate that this process has obtained for a name: it bounds when the next one is ordered. */
import type { Certificate } from '../certificates/certificate.ts';
import { boundedRenewal, isTooEarly } from '../schedule/schedule.ts';

/** A certificate of this process is not given up sooner because its issuer suggests so, in milliseconds. */
const shortestSuggestedLife = 3_600_000;
/** However short certificates live, one is not ordered more often. */
const shortestOrderInterval = 60_000;

/** When it was obtained, and by which clock. */
export class LastIssue {
  /** By the monotonic clock: the other one may be set back. */
  #at = Number.NEGATIVE_INFINITY;
  /** The hash of a certificate that was too early when it was issued: the clock of the issuer is ahead, and not ours. */
  #early: string | null = null;

  /** A certificate was obtained now. */
  note(certificate: Certificate): void {
    this.#at = performance.now();
    this.#early = isTooEarly(certificate, Date.now()) ? certificate.hash : null;
  }

  /** Whether a certificate is not valid yet because the clock was ahead when it was made. */
  isEarly(certificate: Certificate, now: number): boolean {
    return certificate.hash !== this.#early && isTooEarly(certificate, now);
  }

  /** Bounds a suggested renewal: an issuer must not have us order without end, nor wait until the certificate has expired. */
  bounded(moment: number, { notBefore, notAfter }: Certificate, ratio: number): number {
    const since = performance.now() - this.#at;
    const now = Date.now();
    const earliest = now + Math.max(0, shortestSuggestedLife - since);
    const due = boundedRenewal(moment, earliest, { notBefore, notAfter, ratio });
    return Math.max(due, now + Math.max(0, shortestOrderInterval - since));
  }
}
