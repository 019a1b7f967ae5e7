/** A managed name. Its certificate is loaded from storage, obtained from an issuer, and renewed. */
import { SluiceError, messageOf, type Logger } from '@sluice/base';
import type { StorageLock } from '@sluice/contracts';
import type { Certificate } from '../certificates/certificate.ts';
import type { Issuer } from '../contracts/issuer.ts';
import { certFailed, certObtained, certObtaining } from './events.ts';
import { Issuing } from './issuing.ts';
import type { NameEvents, NameHost } from './name-host.ts';
import { LastIssue } from './last-issue.ts';
import { issuersKey, sameIssuers } from './issuer-lists.ts';
import { wasLost } from './lost-lock.ts';
import type { AutomationPolicy } from './policy.ts';
import { momentIn, renewalTime, retryAt, boundedRetry } from '../schedule/schedule.ts';

/** Timeout for a renewal window (ARI) query, and minimum interval between queries, in milliseconds. */
const askTimeout = 60_000;
const defaultAskInterval = 6 * 3_600_000;
const minAskInterval = 60_000;
const maxAskInterval = 24 * 3_600_000;
const never = Number.POSITIVE_INFINITY;

export class ManagedName {
  readonly name: string;
  policy: AutomationPolicy;
  issuers: readonly Issuer[];
  certificate: Certificate | null = null;
  served: Certificate | null = null;
  /** Time of the next action for this name, in milliseconds since the Unix epoch. */
  due = 0;
  /** Time of the next renewal window (ARI) query, in milliseconds since the Unix epoch. */
  askAt = never;
  lastError: string | null = null;
  readonly #events: NameEvents;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  #failures = 0;
  readonly #last = new LastIssue();
  #running: Promise<void> | null = null;
  #loaded = false;
  /** True if the stored private key is compromised. */
  #compromised = false;
  readonly issuing = new Issuing();

  constructor(name: string, policy: AutomationPolicy, { issuers, events, log }: NameHost) {
    this.name = name;
    this.policy = policy;
    this.issuers = issuers;
    this.#events = events;
    this.#log = log;
  }

  get busy(): boolean {
    return this.#running !== null;
  }

  get stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Returns the time of the next action. If the clock was set back, `now` can be earlier than the time when the action was scheduled. */
  dueAt(now: number): number {
    const { certificate } = this;
    const isEarly = certificate !== null && this.#failures === 0 && this.#last.isEarly(certificate, now);
    return isEarly && !this.stopped ? Math.min(this.due, now) : this.due;
  }

  /** Stops managing the name. Called when the certificate is no longer needed. */
  stop(): void {
    this.due = never;
    this.askAt = never;
    this.#stop.abort(new SluiceError('ERR_ISSUANCE', 'the certificate is no longer managed'));
  }

  /**
   * Replaces a revoked certificate. If the old key is compromised, generates a new key. The revoked certificate is served until the new one
   * is available. The rate is limited, so that a faulty OCSP responder can't cause endless orders.
   */
  replace(compromised: boolean): void {
    this.#compromised ||= compromised;
    this.askAt = never;
    const now = Date.now();
    this.due =
      this.certificate === null ? now : this.#last.bounded(now, this.certificate, this.policy.renewalWindowRatio);
  }

  /** Applies a different policy. Checks storage again for certificates from the policy's issuers. */
  follow(policy: AutomationPolicy, issuers: readonly Issuer[]): void {
    if (policy === this.policy && sameIssuers(issuers, this.issuers)) return;
    const same = issuersKey(issuers) === issuersKey(this.issuers) && policy.keyType === this.policy.keyType;
    // If an issuer has permanently rejected the name and the issuer's options have since changed, try the issuer again immediately.
    if (this.issuing.refused && this.lastError !== null && !sameIssuers(issuers, this.issuers)) this.due = 0;
    this.policy = policy;
    this.issuers = issuers;
    if (same) return;
    this.issuing.clearRejections();
    this.#loaded = false;
    this.#failures = 0;
    this.due = 0;
  }

  /** Loads a usable certificate from storage, if there is one. */
  async load(): Promise<void> {
    if (this.#loaded) return;
    this.#loaded = true;
    const stored = await this.#stored(null);
    const attempts = stored === null || this.#isDue(stored) ? await this.#attempts() : null;
    if (stored !== null) this.#accept(stored);
    this.#failures = attempts?.count ?? 0;
    this.lastError = attempts?.error ?? null;
    if (stored === null) this.due = attempts?.next ?? 0;
    else if (attempts !== null) this.due = Math.max(this.due, attempts.next);
  }

  /** Obtains or renews the certificate if it is due. Never rejects: failures are stored and logged, and the action is retried later. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      await this.load();
      this.#followClock();
      if (Date.now() >= this.askAt && this.certificate !== null) await this.#askIssuer(this.certificate);
      if (Date.now() < this.due || this.#stop.signal.aborted) return;
      if (this.issuers.length === 0) throw new SluiceError('ERR_ISSUANCE', 'no certificate issuer is available');
      await this.#obtain();
    } catch (error) {
      if (!this.#stop.signal.aborted) await this.#failed(error);
    }
  }

  /** Corrects scheduled times after the clock was set back. */
  #followClock(): void {
    const now = Date.now();
    if (this.#failures > 0) this.due = boundedRetry(this.due, now);
    else this.due = this.dueAt(now);
    if (this.askAt !== never && this.askAt > now + maxAskInterval) this.askAt = now;
  }

  async #obtain(tries = 3): Promise<void> {
    const { store } = this.policy;
    await this.#events.checkStorage?.(store.storage);
    const lock = await store.lock(this.name, this.#stop.signal);
    try {
      // Another process that shares the storage may have already obtained the certificate.
      if (await this.#takeOver(lock)) return;
      const renewal = this.certificate !== null;
      this.#events.emit(certObtaining, { identifier: this.name, renewal });
      const issued = await this.issuing.issue({
        name: this.name,
        policy: this.policy,
        issuers: this.issuers,
        renewed: this.certificate,
        attempt: this.#failures,
        compromised: this.#compromised,
        signal: AbortSignal.any([this.#stop.signal, lock.lost]),
        lock,
      });
      await store.setAttempts(this.name, null);
      this.#compromised = false;
      this.#last.note(issued);
      this.#accept(issued);
      this.#log.info(renewal ? 'renewed certificate' : 'obtained certificate', {
        identifier: this.name,
        issuer: issued.issuerKey,
        not_after: new Date(issued.notAfter).toISOString(),
      });
      this.#events.emit(certObtained, {
        identifier: this.name,
        renewal,
        issuer: issued.issuerKey,
        certificate_path: issued.source,
      });
    } catch (error) {
      if (!wasLost(lock, error) || tries === 1) throw error;
      // The lock owner may have just finished. If it has not, wait for its result.
      if (!(await this.#takeOver(null))) return await this.#obtain(tries - 1);
    } finally {
      await lock.release();
    }
  }

  /** Takes over a certificate that another process has stored, unless it is already due for renewal. */
  async #takeOver(lock: StorageLock | null): Promise<boolean> {
    const stored = await this.#stored(lock);
    if (stored === null || stored.hash === this.certificate?.hash || this.#isDue(stored)) return false;
    this.#accept(stored);
    return true;
  }

  /** Returns the best stored certificate. A certificate that is not due for renewal takes precedence over one that is valid but due. */
  async #stored(lock: StorageLock | null): Promise<Certificate | null> {
    let found: Certificate | null = null;
    for (const issuer of this.issuers) {
      const stored = await this.policy.store.load(issuer.storageKey, this.name, lock);
      if (stored === null) continue;
      if (!this.#isDue(stored)) return stored;
      // A certificate that is not yet valid is better than none.
      if (stored.notAfter > (found?.notAfter ?? Date.now())) found = stored;
    }
    return found;
  }

  #accept(certificate: Certificate): void {
    const before = this.certificate;
    this.certificate = certificate;
    // Reset the failure count, even if another process obtained the certificate.
    this.#failures = 0;
    this.lastError = null;
    const { notBefore, notAfter } = certificate;
    // A certificate that is not yet valid was created while the local clock was ahead. Replace it immediately.
    this.due = this.#last.isEarly(certificate, Date.now())
      ? 0
      : renewalTime(notBefore, notAfter, this.policy.renewalWindowRatio);
    this.askAt = this.#issuerOf(certificate)?.renewalWindow === undefined ? never : 0;
    if (before?.hash !== certificate.hash) this.#events.changed(this, certificate, before);
  }

  #issuerOf({ issuerKey }: Certificate): Issuer | undefined {
    return this.issuers.find(({ storageKey }) => storageKey === issuerKey);
  }

  /**
   * Schedules the renewal at a random time in the window that the issuer suggests (ARI, RFC 9773). If the window has passed, renews
   * immediately.
   */
  async #askIssuer(certificate: Certificate): Promise<void> {
    this.askAt = Date.now() + defaultAskInterval;
    try {
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(askTimeout)]);
      const window = await this.#issuerOf(certificate)?.renewalWindow?.(certificate.chain, signal);
      if (window === null || window === undefined || this.certificate !== certificate) return;
      const now = Date.now();
      this.askAt = Math.min(Math.max(window.retryAt, now + minAskInterval), now + maxAskInterval);
      const moment = momentIn(window.start, window.end, this.due, certificate.notAfter);
      this.due = this.#last.bounded(moment, certificate, this.policy.renewalWindowRatio);
    } catch (error) {
      this.#log.warn('failed to get suggested renewal time from issuer', {
        identifier: this.name,
        error,
      });
    }
  }

  #isDue(certificate: Certificate): boolean {
    const { notBefore, notAfter } = certificate;
    const now = Date.now();
    return (
      now >= notAfter - (notAfter - notBefore) * this.policy.renewalWindowRatio || this.#last.isEarly(certificate, now)
    );
  }

  async #attempts(): Promise<{ count: number; next: number; error: string } | null> {
    const attempts = await this.policy.store.attempts(this.name);
    if (attempts === null || attempts.issuers !== issuersKey(this.issuers)) return null;
    return { ...attempts, next: boundedRetry(attempts.next, Date.now()) };
  }

  async #failed(error: unknown): Promise<void> {
    this.#failures++;
    this.lastError = messageOf(error);
    this.due = Math.max(retryAt(this.#failures, Date.now()), this.issuing.refusedUntil(this.issuers));
    this.#log.error('failed to obtain certificate', {
      identifier: this.name,
      attempt: this.#failures,
      next_attempt: new Date(this.due).toISOString(),
      error: this.lastError,
    });
    this.#events.emit(certFailed, {
      identifier: this.name,
      renewal: this.certificate !== null,
      remaining: this.certificate === null ? null : this.certificate.notAfter - Date.now(),
      issuers: this.issuers.map(({ storageKey }) => storageKey),
      error: this.lastError,
    });
    const attempts = {
      count: this.#failures,
      next: this.due,
      error: this.lastError,
      issuers: issuersKey(this.issuers),
    };
    await this.policy.store.setAttempts(this.name, attempts).catch((problem: unknown) => {
      this.#log.error('failed to save the record of failed issuance attempts', {
        identifier: this.name,
        error: problem,
      });
    });
  }
}
