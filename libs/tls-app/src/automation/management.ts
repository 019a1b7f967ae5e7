/** Obtains and renews the certificates of all names that someone wants. In the control thread. */
import { guarded, messageOf, taskOf, unawaited, within, type Logger } from '@sluice/base';
import type { Storage } from '@sluice/contracts';
import type { ThreadBus, Unsubscribe } from '@sluice/threads';
import { readCertificate, type Certificate } from '../certificates/certificate.ts';
import { ChallengeNotices } from '../challenges/notices.ts';
import { allCertificates, certificateFor } from '../certificates/messages.ts';
import type { ClientHello } from '../contracts/client-hello.ts';
import type { OcspAnswer } from '../ocsp/answer.ts';
import { staplingRules } from './stapling-rules.ts';
import { Stapling } from '../ocsp/stapling.ts';
import { Alarm } from '../schedule/alarm.ts';
import { inParallel } from '../schedule/in-parallel.ts';
import { CertificateChanges } from './certificate-changes.ts';
import { ManagedName, type NameEvents } from './managed-name.ts';
import { TicketService } from '../tickets/ticket-service.ts';
import { OnDemand } from './on-demand.ts';
import { qualifies } from './qualify.ts';
import { issuersFor, policyFor, type AutomationSettings } from './settings.ts';
import { StorageCheck } from './storage-check.ts';
import { automateOwner, WantedNames } from './wanted-names.ts';

const task = taskOf('tls');

/** Names that are read from storage, and certificates that are obtained, at a time. */
const loadsAtOnce = 64;
const orders = 16;
/** Longest that a handshake waits for a certificate that is being obtained, in milliseconds. */
const handshakePatience = 10_000;
/** Longest that a renewed certificate waits for its OCSP answer while the one before is served, in milliseconds. */
const staplePatience = 5000;
const never = Number.POSITIVE_INFINITY;

/** Emits an event of the app. */
export type Emit = (event: string, data: Readonly<Record<string, unknown>>) => void;

/** The names, their owners, and the timer that wakes the next one. */
export class Management implements NameEvents {
  readonly notices: ChallengeNotices;
  readonly tickets: TicketService;
  readonly stapling: Stapling;
  readonly #bus: ThreadBus;
  readonly #log: Logger;
  readonly #names = new Map<string, ManagedName>();
  readonly #wanted = new WantedNames();
  readonly #onDemand: OnDemand;
  readonly #storageCheck = new StorageCheck();
  /** Names that a configuration is about to want. */
  readonly #announced = new Set<string>();
  #settings: AutomationSettings | null = null;
  /** Those of a configuration that is about to take effect. */
  #next: AutomationSettings | null = null;
  #emit: Emit = () => undefined;
  #subscriptions: Unsubscribe[] = [];
  #settling = false;
  readonly #alarm = new Alarm(() => unawaited(task, this.#round()));
  readonly #changes: CertificateChanges;

  constructor(bus: ThreadBus, log: Logger) {
    this.#bus = bus;
    this.#log = log;
    this.#changes = new CertificateChanges(bus);
    this.notices = new ChallengeNotices(bus);
    this.tickets = new TicketService(bus, log);
    this.stapling = new Stapling(bus, log, (certificate, answer) => this.#revoked(certificate, answer));
    this.#onDemand = new OnDemand(log);
  }

  /** The names, for `GET /certificates`. */
  get names(): Iterable<ManagedName> {
    return this.#names.values();
  }

  /** Begins to answer the threads. */
  open(): void {
    this.#subscriptions = [
      this.#bus.onAsk(allCertificates, () => this.#certificates()),
      this.#bus.onAsk(certificateFor, (hello) => this.#certificateFor(hello)),
      ...this.notices.open(),
      ...this.tickets.open(),
      ...this.stapling.open(),
    ];
  }

  /** Gives everything up. */
  close(): void {
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#subscriptions = [];
    this.tickets.stop();
    this.stapling.close();
    for (const managed of this.#names.values()) managed.stop();
    this.#names.clear();
    this.#wanted.clear();
    this.#alarm.stop();
  }

  /** A configuration takes effect. */
  configure(settings: AutomationSettings, emit: Emit): void {
    this.#settings = settings;
    this.#next = null;
    this.#emit = emit;
    this.#forget(settings.capacity);
    this.stapling.configure(staplingRules(settings), settings.ocspInterval);
    for (const managed of this.#names.values()) this.#follow(managed, settings);
    // Not at once: a name that was obtained on demand may be wanted by its name from now on.
    queueMicrotask(guarded(task, () => this.#endOnDemand()));
    this.#settleSoon();
    this.#alarm.set(0);
  }

  /** After policies or wildcards have changed: other names than before have certificates of their own. */
  #settleSoon(): void {
    if (this.#settling) return;
    this.#settling = true;
    queueMicrotask(
      guarded(task, () => {
        this.#settling = false;
        for (const name of this.#wanted.all()) if (qualifies(name)) this.#manage(name);
        // Those that are announced are not wanted yet.
        for (const name of [...this.#names.keys()]) if (!this.#announced.has(name)) this.#giveUp(name);
        this.#changes.publish();
        this.#alarm.set(0);
      }),
    );
  }

  /** Gives up the names that were obtained on demand and that the configuration has none of that kind for any more. */
  #endOnDemand(): void {
    const settings = this.#settings;
    if (settings === null) return;
    for (const name of [...this.#names.keys()]) {
      if (!this.#onDemand.has(name)) continue;
      if (policyFor(settings, name).onDemand && settings.permission !== null) continue;
      this.#onDemand.forget(name);
      this.#giveUp(name);
    }
    this.#changes.publish();
  }

  /** Loads what is stored for names, under the settings that are about to take effect if there are any. */
  async preload(names: readonly string[], settings: AutomationSettings | null = null): Promise<void> {
    if (settings !== null) this.#next = settings;
    else settings = this.#next ?? this.#settings;
    if (settings === null) return;
    const fresh = names.filter(
      (name) => !this.#names.has(name) && qualifies(name) && !policyFor(settings, name).onDemand,
    );
    const loaded = fresh.map((name) => {
      this.#announced.add(name);
      return this.#make(name, settings);
    });
    await inParallel(loaded, loadsAtOnce, async (managed) => {
      await managed.load().catch((error: unknown) => this.#cannotLoad(managed, error));
      // Its OCSP answer, if one is stored, is there before the certificate is served.
      await this.stapling.get(managed.certificate?.hash ?? '')?.load();
      if (!this.#names.has(managed.name)) this.#names.set(managed.name, managed);
    });
  }

  /** Sets the names that an owner wants; those that no one wants any more are given up. */
  want(owner: string, names: readonly string[]): void {
    const before = this.#wanted.of(owner);
    const now = new Set(names);
    const removed = [...before].filter((name) => !now.has(name));
    this.change(owner, names, removed);
  }

  /** Changes what an owner wants. */
  change(owner: string, added: readonly string[], removed: readonly string[]): void {
    if (this.#wanted.change(owner, added, removed)) this.#settleSoon();
    for (const name of removed) this.#giveUp(name);
    for (const name of added) this.#manage(name);
    // What was announced and is not wanted by any owner of this configuration, or of the one that was not applied.
    if (this.#announced.size > 0) queueMicrotask(guarded(task, () => this.#endAnnouncements()));
    this.#alarm.set(0);
  }

  #manage(name: string): void {
    const settings = this.#settings;
    if (settings === null || this.#names.has(name)) return;
    if (!qualifies(name)) this.#log.warn('there can be no certificate for this name', { name });
    else if (this.#hasItsOwn(name, settings)) this.#names.set(name, this.#make(name, settings));
  }

  /**
   * Whether a wanted name has a certificate of its own before any client asks for it. One whose policy says on demand has
   * none; nor has one that a wanted wildcard is for, unless the configuration lists it to be automated.
   */
  #hasItsOwn(name: string, settings: AutomationSettings): boolean {
    if (policyFor(settings, name).onDemand) return false;
    return this.#wanted.of(automateOwner).has(name) || !this.#isCovered(name, settings);
  }

  /** Whether a wildcard is for a name. A certificate that the name has stays until the wildcard has one. */
  #isCovered(name: string, settings: AutomationSettings): boolean {
    const hasOne = (this.#names.get(name)?.certificate ?? null) !== null;
    return this.#wanted
      .wildcardsFor(name)
      .some(
        (wildcard) =>
          !policyFor(settings, wildcard).onDemand && !(hasOne && this.#names.get(wildcard)?.certificate == null),
      );
  }

  #giveUp(name: string): void {
    const managed = this.#names.get(name);
    if (managed === undefined || this.#onDemand.has(name)) return;
    const settings = this.#settings;
    if (settings !== null && this.#wanted.has(name) && this.#hasItsOwn(name, settings)) return;
    const { certificate, served } = managed;
    managed.stop();
    this.#names.delete(name);
    if (served !== null) this.#withdraw(served);
    if (certificate !== null && certificate !== served) this.stapling.remove(certificate.hash);
  }

  #endAnnouncements(): void {
    const announced = [...this.#announced];
    this.#announced.clear();
    for (const name of announced) this.#giveUp(name);
  }

  changed(managed: ManagedName, certificate: Certificate, before: Certificate | null): void {
    const settings = this.#next ?? this.#settings;
    if (settings !== null) unawaited(task, this.stapling.add(certificate, staplingRules(settings)));
    this.#emit('cached_managed_cert', { sans: certificate.names, replaces: before?.hash ?? null });
    this.#alarm.set(Math.min(managed.due, managed.askAt));
    if (before === null && managed.name.startsWith('*')) this.#settleSoon();
    if (before === null || this.stapling.get(certificate.hash) === null) this.#serve(managed);
    else unawaited(task, this.#serveStapled(managed, certificate));
  }

  /** A renewed certificate is served when its OCSP answer is there; that of the one before is meanwhile. */
  async #serveStapled(managed: ManagedName, certificate: Certificate): Promise<void> {
    await this.stapling.ready(certificate.hash, staplePatience);
    if (managed.certificate === certificate) this.#serve(managed);
    else this.stapling.remove(certificate.hash);
  }

  #serve(managed: ManagedName): void {
    const { certificate, served } = managed;
    if (managed.stopped || certificate === null || certificate === served) return;
    managed.served = certificate;
    this.#changes.add(certificate);
    if (served !== null) this.#withdraw(served);
  }

  #withdraw({ hash }: Certificate): void {
    this.#changes.remove(hash);
    this.stapling.remove(hash);
  }

  #revoked({ hash }: Certificate, { reason, revokedAt }: OcspAnswer): void {
    for (const managed of this.#names.values()) {
      if (managed.certificate?.hash !== hash) continue;
      this.#emit('cert_ocsp_revoked', { subjects: [managed.name], reason, revoked_at: revokedAt });
      managed.replace(reason === 'keyCompromise');
      this.#alarm.set(managed.due);
    }
  }

  async checkStorage(storage: Storage): Promise<void> {
    if (this.#settings?.checksStorage === true) await this.#storageCheck.check(storage);
  }

  emit(event: string, data: Readonly<Record<string, unknown>>): void {
    this.#emit(event, data);
  }

  #make(name: string, settings: AutomationSettings): ManagedName {
    const policy = policyFor(settings, name);
    return new ManagedName(name, policy, { issuers: issuersFor(settings, policy, name), events: this, log: this.#log });
  }

  #follow(managed: ManagedName, settings: AutomationSettings): void {
    const policy = policyFor(settings, managed.name);
    managed.follow(policy, issuersFor(settings, policy, managed.name));
  }

  #certificates(): Certificate[] {
    return [...this.#names.values()].flatMap(({ served }) => (served === null ? [] : [served]));
  }

  #cannotLoad({ name }: ManagedName, error: unknown): void {
    this.#log.error('the storage could not be read', { identifier: name, error: messageOf(error) });
  }

  /** Gives up the oldest certificates on demand that are too many; the next handshake takes them from storage again. */
  #forget(capacity: number): void {
    for (const name of this.#onDemand.beyond(capacity)) this.#giveUp(name);
  }

  /** The wildcard that is for a name, if one is managed. */
  #wildcardFor(name: string): ManagedName | undefined {
    const wildcard = this.#wanted.wildcardsFor(name).find((each) => this.#names.has(each));
    return wildcard === undefined ? undefined : this.#names.get(wildcard);
  }

  /** A handshake has found no certificate, or one that has expired: waits for one that is being obtained, or obtains one on demand. */
  async #certificateFor(hello: ClientHello): Promise<Certificate | null> {
    const name = hello.serverName === '' ? hello.localAddress : hello.serverName;
    const managed = this.#names.get(name) ?? this.#wildcardFor(name);
    if (managed !== undefined) {
      const { certificate } = managed;
      if (certificate === null || certificate.notAfter <= Date.now()) await within(managed.run(), handshakePatience);
      this.#changes.publish();
      return managed.certificate;
    }
    const settings = this.#settings;
    if (settings === null) return null;
    const policy = policyFor(settings, name);
    for (const manager of policy.managers) {
      const pair = await manager.get(hello, AbortSignal.timeout(handshakePatience)).catch((error: unknown) => {
        this.#log.error('a certificate manager has failed', { server_name: name, error: messageOf(error) });
        return null;
      });
      if (pair !== null) return readCertificate(pair, { tags: [], source: 'get_certificate', issuerKey: null });
    }
    if (!policy.onDemand || !qualifies(name)) return null;
    const allowed = await this.#onDemand.allows(name, settings.permission);
    if (!allowed) return null;
    const made = this.#names.get(name) ?? this.#make(name, settings);
    this.#names.set(name, made);
    this.#forget(settings.capacity);
    await within(made.run(), handshakePatience);
    this.#changes.publish();
    return made.certificate;
  }

  /** Does what is due, some at a time. */
  async #round(): Promise<void> {
    this.#changes.publish();
    const now = Date.now();
    const due = [...this.#names.values()].filter(({ due, askAt, busy }) => !busy && Math.min(due, askAt) <= now);
    await inParallel(due, orders, (managed) => managed.run());
    let next = never;
    for (const managed of this.#names.values()) next = Math.min(next, managed.due, managed.askAt);
    // At least now and then, for clocks that jump.
    this.#alarm.set(Math.min(next, Date.now() + (this.#settings?.renewInterval ?? never)));
  }
}
