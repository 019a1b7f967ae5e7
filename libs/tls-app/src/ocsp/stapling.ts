/** Keeps the OCSP responses of all certificates fresh and distributes them to the threads. Runs in the control thread. */
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

/** Maximum numbers of concurrent storage reads and concurrent requests. */
const maxConcurrentReads = 64;
const questions = 16;
const never = Number.POSITIVE_INFINITY;

/** A certificate with a responder, and how often it was added. */
interface Wanted {
  readonly certificate: Certificate;
  users: number;
}

export type OnRevoked = (certificate: Certificate, response: OcspResponse) => void;

/** Certificates with a responder, and the timer for the one that is due next. */
export class Stapling implements StapleEvents {
  readonly #bus: ThreadBus;
  readonly #log: Logger;
  readonly #onRevoked: OnRevoked;
  readonly #alarm = new Alarm(() => unawaited(task, this.#round()));
  /** Wanted certificates by hash. */
  readonly #wanted = new Map<string, Wanted>();
  /**
   * Certificates whose responses are maintained, by hash, including those of a configuration that is not active yet.
   */
  readonly #entries = new Map<string, StapledCertificate>();
  #loaded: readonly Certificate[] = [];
  #rules: StaplingRules = () => null;
  #interval = never;
  /** Pending changes, which are sent together. */
  readonly #changed = new Map<string, Staple | null>();

  constructor(bus: ThreadBus, log: Logger, onRevoked: OnRevoked) {
    this.#bus = bus;
    this.#log = log;
    this.#onRevoked = onRevoked;
  }

  /** Starts to answer requests of other threads. */
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

  /** Returns the stapled certificate of a hash; `null` if no response is stapled. */
  get(hash: string): StapledCertificate | null {
    return this.#entries.get(hash) ?? null;
  }

  /** Applies a configuration. `interval` is in milliseconds. */
  configure(rules: StaplingRules, interval: number): void {
    this.#rules = rules;
    this.#interval = interval;
    for (const { certificate } of this.#wanted.values()) {
      const entry = this.#entries.get(certificate.hash);
      if (entry !== undefined && !isSameRule(rules(certificate), entry.rule)) this.#drop(entry);
      this.#begin(certificate, rules);
    }
  }

  /** Loads stored responses for certificates and rules of a configuration that is not active yet. */
  async preload(certificates: readonly Certificate[], rules: StaplingRules): Promise<void> {
    const entries = certificates.map((each) => this.#entry(each, rules)).filter((entry) => entry !== null);
    await inParallel(entries, maxConcurrentReads, (entry) => entry.load());
  }

  /** Sets the loaded certificates. Responses that are no longer needed are dropped. */
  useLoaded(certificates: readonly Certificate[]): void {
    const before = this.#loaded;
    this.#loaded = certificates;
    for (const certificate of certificates) unawaited(task, this.add(certificate));
    for (const { hash } of before) this.remove(hash);
    // Drop responses that were loaded for a configuration that did not become active.
    for (const [hash, entry] of this.#entries) if (!this.#wanted.has(hash)) this.#drop(entry);
  }

  /** Adds a certificate. Resolves when its stored response was read. */
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

  /** Removes a certificate. Must be called as often as {@link add}. */
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

  /** Starts maintaining the OCSP response of a certificate, if a rule requires it. */
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

  /** Fetches due responses with limited concurrency. */
  async #round(): Promise<void> {
    const now = Date.now();
    const due = [...this.#entries.values()].filter(
      (entry) => !entry.busy && entry.due <= now && this.#wanted.has(entry.certificate.hash),
    );
    await inParallel(due, questions, (entry) => entry.run());
    let next = never;
    for (const { due } of this.#entries.values()) next = Math.min(next, due);
    // Check regularly, in case the clock jumps.
    if (this.#wanted.size > 0) this.#alarm.set(Math.min(next, Date.now() + this.#interval));
  }
}
