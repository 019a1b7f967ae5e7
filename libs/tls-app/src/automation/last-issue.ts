/** The last certificate that this process obtained for a name, used to limit the rate of orders. */
import type { Certificate } from '../certificates/certificate.ts';
import { boundedRenewal, isTooEarly } from '../schedule/schedule.ts';

/** Minimum age of a certificate of this process before a suggested renewal replaces it, in milliseconds. */
const minSuggestedLifetime = 3_600_000;
/** Minimum interval between orders in milliseconds, whatever the certificate lifetime is. */
const minOrderInterval = 60_000;

/** Time of the last issuance. */
export class LastIssue {
  /** Monotonic time, because the wall clock may be set back. */
  #at = Number.NEGATIVE_INFINITY;
  /** Hash of a certificate that was not valid yet when issued, because the issuer's clock was ahead. */
  #early: string | null = null;

  /** Records a certificate that was just obtained. */
  note(certificate: Certificate): void {
    this.#at = performance.now();
    this.#early = isTooEarly(certificate, Date.now()) ? certificate.hash : null;
  }

  /** Reports whether a certificate is not valid yet because the local clock was ahead when it was obtained. */
  isEarly(certificate: Certificate, now: number): boolean {
    return certificate.hash !== this.#early && isTooEarly(certificate, now);
  }

  /**
   * Limits a suggested renewal time, so that an issuer can neither cause endless orders nor let the certificate expire.
   */
  bounded(moment: number, { notBefore, notAfter }: Certificate, ratio: number): number {
    const since = performance.now() - this.#at;
    const now = Date.now();
    const earliest = now + Math.max(0, minSuggestedLifetime - since);
    const due = boundedRenewal(moment, earliest, { notBefore, notAfter, ratio });
    return Math.max(due, now + Math.max(0, minOrderInterval - since));
  }
}
