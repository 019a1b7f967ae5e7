/** Keeps the OCSP responses for all certificates up to date and distributes them to the threads. Runs in the control thread. */
import { guarded, taskOf, unawaited, within, type Logger } from '@sluice/base';
import type { ThreadBus, Unsubscribe } from '@sluice/threads';
import { Alarm } from '../schedule/alarm.ts';
import { inParallel } from '../schedule/in-parallel.ts';
import type { Certificate } from '../certificates/certificate.ts';
import { allStaples, staplesChanged } from './messages.ts';
import type { OcspResponse } from './response.ts';
import { isSameRule, type StaplingRules } from './rule.ts';
import { StapledCertificate, type StapleEvents } from './stapled-certificate.ts';
import type { Staple } from './staples.ts';

const task = taskOf('tls');

/** Maximum number of concurrent storage reads, and maximum number of concurrent OCSP requests. */
const maxConcurrentReads = 64;
const questions = 16;
const never = Number.POSITIVE_INFINITY;

/** A certificate with an OCSP responder, and the number of times it was added. */
interface Wanted {
  readonly certificate: Certificate;
  users: number;
}

export type OnRevoked = (certificate: Certificate, response: OcspResponse) => void;

/** Manages OCSP responses for certificates, and the timer for the next request that is due. */
export class Stapling implements StapleEvents {
  readonly #bus: ThreadBus;
  readonly #log: Logger;
  readonly #onRevoked: OnRevoked;
  readonly #alarm = new Alarm(() => unawaited(task, this.#round()));
  /** Certificates that need OCSP responses, by hash. */
  readonly #wanted = new Map<string, Wanted>();
  /** Certificates, by hash, whose OCSP responses are kept up to date. Includes certificates of a configuration that is not active yet. */
  readonly #entries = new Map<string, StapledCertificate>();
  #loaded: readonly Certificate[] = [];
  #rules: StaplingRules = () => null;
  #interval = never;
  /** OCSP response changes that have not been sent. They are sent in one message. */
  readonly #changed = new Map<string, Staple | null>();

  constructor(bus: ThreadBus, log: Logger, onRevoked: OnRevoked) {
    this.#bus = bus;
    this.#log = log;
    this.#onRevoked = onRevoked;
  }

  /** Starts responding to requests from other threads. */
  open(): Unsubscribe[] {
    return [this.#bus.onAsk(allStaples, () => this.#staples())];
  }

  close(): void {
    this.#alarm.stop();
    for (const entry of this.#entries.values()) entry.stop();
    this.#entries.clear();
    this.#wanted.clear();
    this.#loaded = [];
  }

  /** Returns the OCSP state of a certificate by hash, or `null` if no response is stapled for it. */
  get(hash: string): StapledCertificate | null {
    return this.#entries.get(hash) ?? null;
  }

  /** Applies the stapling rules of a configuration. `interval` is in milliseconds. */
  configure(rules: StaplingRules, interval: number): void {
    this.#rules = rules;
    this.#interval = interval;
    for (const { certificate } of this.#wanted.values()) {
      const entry = this.#entries.get(certificate.hash);
      if (entry !== undefined && !isSameRule(rules(certificate), entry.rule)) this.#drop(entry);
      this.#begin(certificate, rules);
    }
  }

  /** Loads stored OCSP responses for the certificates and rules of a configuration that is not active yet. */
  async preload(certificates: readonly Certificate[], rules: StaplingRules): Promise<void> {
    const entries = certificates.map((each) => this.#entry(each, rules)).filter((entry) => entry !== null);
    await inParallel(entries, maxConcurrentReads, (entry) => entry.load());
  }

  /** Sets the certificates loaded from the configuration. Drops OCSP responses that are no longer needed. */
  useLoaded(certificates: readonly Certificate[]): void {
    const before = this.#loaded;
    this.#loaded = certificates;
    for (const certificate of certificates) unawaited(task, this.add(certificate));
    for (const { hash } of before) this.remove(hash);
    // Drop OCSP responses that were loaded for a configuration that never became active.
    for (const [hash, entry] of this.#entries) if (!this.#wanted.has(hash)) this.#drop(entry);
  }

  /** Adds a certificate. Resolves when its stored OCSP response has been loaded. */
  async add(certificate: Certificate, rules: StaplingRules = this.#rules): Promise<void> {
    if (certificate.ocspResponder === '') return;
    const wanted = this.#wanted.get(certificate.hash);
    if (wanted !== undefined) {
      wanted.users++;
      return;
    }
    this.#wanted.set(certificate.hash, { certificate, users: 1 });
    await this.#begin(certificate, rules)?.load();
  }

  /** Waits at most `timeout` milliseconds for the OCSP response of an added certificate. */
  async ready(hash: string, timeout: number): Promise<void> {
    const entry = this.#entries.get(hash);
    if (entry !== undefined && entry.staple === null) await within(entry.run(), timeout);
  }

  /** Removes a certificate. Must be called once for each call of {@link add}. */
  remove(hash: string): void {
    const wanted = this.#wanted.get(hash);
    if (wanted === undefined || --wanted.users > 0) return;
    this.#wanted.delete(hash);
    const entry = this.#entries.get(hash);
    if (entry !== undefined) this.#drop(entry);
  }

  changed(entry: StapledCertificate): void {
    if (!this.#wanted.has(entry.certificate.hash)) return;
    this.#send(entry, entry.staple);
    this.#alarm.set(entry.due);
  }

  revoked(certificate: Certificate, response: OcspResponse): void {
    this.#onRevoked(certificate, response);
  }

  /** Starts keeping the OCSP response for a certificate up to date, if a rule requires it. */
  #begin(certificate: Certificate, rules: StaplingRules): StapledCertificate | null {
    const entry = this.#entry(certificate, rules);
    if (entry === null) return null;
    entry.interval = this.#interval;
    this.#send(entry, entry.staple);
    this.#alarm.set(entry.due);
    return entry;
  }

  #entry(certificate: Certificate, rules: StaplingRules): StapledCertificate | null {
    const there = this.#entries.get(certificate.hash);
    if (there !== undefined) return there;
    const rule = rules(certificate);
    if (rule === null) return null;
    const entry = new StapledCertificate(certificate, rule, { interval: this.#interval, events: this, log: this.#log });
    this.#entries.set(certificate.hash, entry);
    return entry;
  }

  #drop(entry: StapledCertificate): void {
    entry.stop();
    this.#entries.delete(entry.certificate.hash);
    this.#send(entry, null);
  }

  #staples(): Staple[] {
    return [...this.#entries.values()].flatMap(({ served }) => (served === null ? [] : [served]));
  }

  #send(entry: StapledCertificate, staple: Staple | null): void {
    if (entry.served === staple) return;
    entry.served = staple;
    if (this.#changed.size === 0) queueMicrotask(guarded(task, () => this.#publish()));
    this.#changed.set(entry.certificate.hash, staple);
  }

  #publish(): void {
    const added: Staple[] = [];
    const removed: string[] = [];
    for (const [hash, staple] of this.#changed) {
      if (staple === null) removed.push(hash);
      else added.push(staple);
    }
    this.#changed.clear();
    this.#bus.broadcast(staplesChanged, { added, removed });
  }

  /** Fetches all OCSP responses that are due. The number of concurrent requests is limited. */
  async #round(): Promise<void> {
    const now = Date.now();
    const due = [...this.#entries.values()].filter(
      (entry) => !entry.busy && entry.due <= now && this.#wanted.has(entry.certificate.hash),
    );
    await inParallel(due, questions, (entry) => entry.run());
    let next = never;
    for (const { due } of this.#entries.values()) next = Math.min(next, due);
    // Check at regular intervals in case the clock jumps.
    if (this.#wanted.size > 0) this.#alarm.set(Math.min(next, Date.now() + this.#interval));
  }
}
