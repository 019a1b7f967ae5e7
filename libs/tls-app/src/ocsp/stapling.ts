/** Keeps the OCSP responses about all certificates fresh, and tells the threads. In the control thread. */
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

/** Responses that are read from storage, and asked for, at a time. */
const readsAtOnce = 64;
const questions = 16;
const never = Number.POSITIVE_INFINITY;

/** A certificate that names a responder, and how often it is there. */
interface Wanted {
  readonly certificate: Certificate;
  users: number;
}

/** Called with a certificate that was revoked. */
export type OnRevoked = (certificate: Certificate, response: OcspResponse) => void;

/** The certificates with a responder, and the timer that wakes the next one. */
export class Stapling implements StapleEvents {
  readonly #bus: ThreadBus;
  readonly #log: Logger;
  readonly #onRevoked: OnRevoked;
  readonly #alarm = new Alarm(() => unawaited(task, this.#round()));
  /** By hash. */
  readonly #wanted = new Map<string, Wanted>();
  /** By hash; those that a response is stapled to, and those that are about to be wanted. */
  readonly #entries = new Map<string, StapledCertificate>();
  #loaded: readonly Certificate[] = [];
  #rules: StaplingRules = () => null;
  #interval = never;
  /** Changes that are sent together. */
  readonly #changed = new Map<string, Staple | null>();

  constructor(bus: ThreadBus, log: Logger, onRevoked: OnRevoked) {
    this.#bus = bus;
    this.#log = log;
    this.#onRevoked = onRevoked;
  }

  /** Begins to respond to the threads. */
  open(): Unsubscribe[] {
    return [this.#bus.onAsk(allStaples, () => this.#staples())];
  }

  /** Gives everything up. */
  close(): void {
    this.#alarm.stop();
    for (const entry of this.#entries.values()) entry.stop();
    this.#entries.clear();
    this.#wanted.clear();
    this.#loaded = [];
  }

  /** What is known of a certificate; `null` if no response is stapled to it. */
  get(hash: string): StapledCertificate | null {
    return this.#entries.get(hash) ?? null;
  }

  /** A configuration takes effect. `interval` is in milliseconds. */
  configure(rules: StaplingRules, interval: number): void {
    this.#rules = rules;
    this.#interval = interval;
    for (const { certificate } of this.#wanted.values()) {
      const entry = this.#entries.get(certificate.hash);
      if (entry !== undefined && !isSameRule(rules(certificate), entry.rule)) this.#drop(entry);
      this.#begin(certificate, rules);
    }
  }

  /** Reads what is stored about certificates that are about to be loaded, under rules that are about to be in force. */
  async preload(certificates: readonly Certificate[], rules: StaplingRules): Promise<void> {
    const entries = certificates.map((each) => this.#entry(each, rules)).filter((entry) => entry !== null);
    await inParallel(entries, readsAtOnce, (entry) => entry.load());
  }

  /** Sets the certificates that are loaded; the responses that no one wants any more are given up. */
  useLoaded(certificates: readonly Certificate[]): void {
    const before = this.#loaded;
    this.#loaded = certificates;
    for (const certificate of certificates) unawaited(task, this.add(certificate));
    for (const { hash } of before) this.remove(hash);
    // What was read for a configuration that did not take effect.
    for (const [hash, entry] of this.#entries) if (!this.#wanted.has(hash)) this.#drop(entry);
  }

  /** A certificate has come. Resolves when what is stored about it was read. */
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

  /** Waits until there is a response about a certificate that was added, so many milliseconds at most. */
  async ready(hash: string, patience: number): Promise<void> {
    const entry = this.#entries.get(hash);
    if (entry !== undefined && entry.staple === null) await within(entry.run(), patience);
  }

  /** A certificate has gone, once for each time that it has come. */
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

  /** Begins to keep the response about a certificate that is wanted, if its rule wants so. */
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

  /** Asks about what is due, some at a time. */
  async #round(): Promise<void> {
    const now = Date.now();
    const due = [...this.#entries.values()].filter(
      (entry) => !entry.busy && entry.due <= now && this.#wanted.has(entry.certificate.hash),
    );
    await inParallel(due, questions, (entry) => entry.run());
    let next = never;
    for (const { due } of this.#entries.values()) next = Math.min(next, due);
    // At least now and then, for clocks that jump.
    if (this.#wanted.size > 0) this.#alarm.set(Math.min(next, Date.now() + this.#interval));
  }
}
