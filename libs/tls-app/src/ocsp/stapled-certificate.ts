/**
 * Keeps the OCSP response for a certificate up to date. Loads the response from storage or fetches it. Fetches a new response after half of
 * the lifetime.
 */
import { X509Certificate } from 'node:crypto';
import { SluiceError, messageOf, type Logger, itemAt } from '@sluice/base';
import { pemCertificates, type StorageLock } from '@sluice/contracts';
import { retryAt } from '../schedule/schedule.ts';
import type { Certificate } from '../certificates/certificate.ts';
import type { OcspResponse } from './response.ts';
import { issuerOf } from './issuer.ts';
import type { StaplingRule } from './rule.ts';
import { keepStaple, lockStaple, stapleKey } from './staple-store.ts';
import type { Staple } from './staples.ts';

export interface StapleEvents {
  /** Called when the OCSP response to staple has changed. */
  changed(stapled: StapledCertificate): void;
  revoked(certificate: Certificate, response: OcspResponse): void;
}

export interface StaplingHost {
  /** Maximum interval between attempts to fetch an OCSP response that is due, in milliseconds. */
  readonly interval: number;
  readonly events: StapleEvents;
  readonly log: Logger;
}

/** Timeout for an OCSP request, in milliseconds. */
const timeout = 10_000;
/** Minimum interval between OCSP requests, in milliseconds. It applies if a response is already old when it arrives. */
const minPause = 60_000;
const never = Number.POSITIVE_INFINITY;

export class StapledCertificate {
  readonly certificate: Certificate;
  readonly rule: StaplingRule;
  /** Time of the next OCSP request, in milliseconds since the Unix epoch. */
  due = 0;
  /** Maximum interval between attempts to fetch an OCSP response that is due, in milliseconds. */
  interval: number;
  /** Last known certificate status, or `null` if unknown. */
  response: OcspResponse | null = null;
  /** OCSP response that may currently be stapled. */
  staple: Staple | null = null;
  /** OCSP response that the threads currently staple. */
  served: Staple | null = null;
  lastError: string | null = null;
  readonly #key: string;
  readonly #chain: readonly X509Certificate[];
  readonly #events: StapleEvents;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  #issuer: X509Certificate | null = null;
  #failures = 0;
  #loading: Promise<void> | null = null;
  #running: Promise<void> | null = null;

  constructor(certificate: Certificate, rule: StaplingRule, { interval, events, log }: StaplingHost) {
    const pems = pemCertificates(certificate.chain);
    this.certificate = certificate;
    this.rule = rule;
    this.interval = interval;
    this.#chain = pems.map((pem) => new X509Certificate(pem));
    this.#key = stapleKey(this.#leaf, pems, certificate.names);
    this.#events = events;
    this.#log = log;
  }

  /** True if an OCSP request is in progress. */
  get busy(): boolean {
    return this.#running !== null;
  }

  get #leaf(): X509Certificate {
    return itemAt(this.#chain, 0);
  }

  stop(): void {
    this.due = never;
    this.#stop.abort(new SluiceError('ERR_OCSP', 'the OCSP response is no longer needed'));
  }

  /** Loads a usable OCSP response from storage. Never rejects. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Fetches a new OCSP response if it is due. Never rejects: failures are logged, and the request is retried later. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #load(): Promise<void> {
    const { storage } = this.rule;
    try {
      const stored = await storage.load(this.#key);
      const known = this.staple?.response;
      if (stored !== null && (known === undefined || !stored.equals(known))) await this.#read(stored);
    } catch (error) {
      this.#log.warn('stored OCSP response is invalid; fetching a new one', {
        key: this.#key,
        error,
      });
    }
  }

  async #run(): Promise<void> {
    await this.load();
    if (Date.now() < this.due || this.#stop.signal.aborted) return;
    try {
      await this.#refresh();
      this.#failures = 0;
      this.lastError = null;
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#failed(error);
    }
  }

  /**
   * Fetches an OCSP response, unless another server that shares the storage has already done so. Only one server at a time fetches a
   * response.
   */
  async #refresh(): Promise<void> {
    const lock = await lockStaple(this.rule.storage, this.#key, this.#stop.signal);
    try {
      if (lock !== null) await this.#load();
      if (lock === null || Date.now() >= this.due) await this.#ask(lock);
    } finally {
      await lock?.release();
    }
  }

  async #ask(lock: StorageLock | null): Promise<void> {
    const { responder, storage } = this.rule;
    const { ask } = await import('./protocol.ts');
    const der = await ask(responder, this.#leaf, await this.#issuerCertificate(), this.#timeout());
    const { status, until } = await this.#read(der);
    const now = Date.now();
    const pause = Math.min(this.interval, Math.max(minPause, (until - now) / 2));
    this.due = Math.max(this.due, now + pause);
    await keepStaple({ storage, lock, key: this.#key, log: this.#log }, status === 'good' ? der : null);
  }

  /** Parses, verifies and applies an OCSP response. */
  async #read(der: Buffer): Promise<OcspResponse> {
    const { readOcspResponse } = await import('./protocol.ts');
    const { certificate } = this;
    const response = readOcspResponse(der, this.#leaf, await this.#issuerCertificate());
    if (response.status === 'unknown') throw new SluiceError('ERR_OCSP', 'the certificate is unknown to the responder');
    this.#stop.signal.throwIfAborted();
    this.response = response;
    this.due = response.from + (response.until - response.from) / 2;
    this.staple = response.status === 'good' ? { hash: certificate.hash, response: der, until: response.until } : null;
    this.#events.changed(this);
    if (response.status === 'revoked') this.#revoked(response);
    return response;
  }

  #revoked(response: OcspResponse): void {
    this.#log.error('certificate was revoked', {
      certificate: this.certificate.source,
      names: this.certificate.names,
      reason: response.reason,
    });
    this.#events.revoked(this.certificate, response);
  }

  /** Handles a failed OCSP request. The last known status remains in use while it is valid. */
  #failed(error: unknown): void {
    const now = Date.now();
    this.lastError = messageOf(error);
    this.due = Math.min(retryAt(++this.#failures, now), now + this.interval);
    this.#log.warn('failed to get new OCSP response for certificate', {
      certificate: this.certificate.source,
      names: this.certificate.names,
      responder: this.rule.responder,
      next_attempt: new Date(this.due).toISOString(),
      error: this.lastError,
    });
  }

  async #issuerCertificate(): Promise<X509Certificate> {
    return (this.#issuer ??= await issuerOf(this.#chain, this.#timeout()));
  }

  #timeout(): AbortSignal {
    return AbortSignal.any([this.#stop.signal, AbortSignal.timeout(timeout)]);
  }
}
