/** Tracks the last certificate that this process obtained for a name, to limit the rate of orders. */
import type { Certificate } from '../certificates/certificate.ts';
import { boundedRenewal, isTooEarly } from '../schedule/schedule.ts';

/** Minimum age, in milliseconds, at which a CA-suggested renewal may replace a certificate that this process obtained. */
const minSuggestedLifetime = 3_600_000;
/** Minimum interval between orders, in milliseconds, regardless of the certificate lifetime. */
const minOrderInterval = 60_000;

/** Time and validity of the last certificate obtained for a name. */
export class LastIssue {
  /** Time of the last issuance on the monotonic clock. The wall clock is not used, because it may be set back. */
  #at = Number.NEGATIVE_INFINITY;
  /** Hash of a certificate that was not yet valid when it was issued, because the issuer's clock was ahead. */
  #early: string | null = null;

  /** Records that a certificate has just been obtained. */
  note(certificate: Certificate): void {
    this.#at = performance.now();
    this.#early = isTooEarly(certificate, Date.now()) ? certificate.hash : null;
  }

  /** Reports whether a certificate is not yet valid because the local clock was ahead when the certificate was obtained. */
  isEarly(certificate: Certificate, now: number): boolean {
    return certificate.hash !== this.#early && isTooEarly(certificate, now);
  }

  /** Clamps a renewal time suggested by an issuer. A faulty suggestion therefore cannot cause endless orders or let the certificate expire. */
  bounded(moment: number, { notBefore, notAfter }: Certificate, ratio: number): number {
    const since = performance.now() - this.#at;
    const now = Date.now();
    const earliest = now + Math.max(0, minSuggestedLifetime - since);
    const due = boundedRenewal(moment, earliest, { notBefore, notAfter, ratio });
    return Math.max(due, now + Math.max(0, minOrderInterval - since));
  }
}
