/** Obtains and renews the certificates of all wanted names. Runs in the control thread. */
import { guarded, taskOf, unawaited, within, type Logger } from '@sluice/base';
import type { Storage, ClientHello } from '@sluice/contracts';
import type { ThreadBus, Unsubscribe } from '@sluice/threads';
import { readCertificate, type Certificate } from '../certificates/certificate.ts';
import { ChallengeNotices } from '../challenges/notices.ts';
import { StorageChallenges } from '../challenges/storage-challenges.ts';
import { allCertificates, certificateFor } from '../certificates/messages.ts';
import type { OcspResponse } from '../ocsp/response.ts';
import { staplingRules } from './stapling-rules.ts';
import { Stapling } from '../ocsp/stapling.ts';
import { Alarm } from '../schedule/alarm.ts';
import { isValidAt } from '../schedule/schedule.ts';
import { inParallel } from '../schedule/in-parallel.ts';
import { CertificateChanges } from './certificate-changes.ts';
import { ManagedName } from './managed-name.ts';
import type { NameEvents } from './name-host.ts';
import { ManagedNames } from './managed-names.ts';
import { TicketService } from '../tickets/ticket-service.ts';
import { OnDemand } from './on-demand.ts';
import { qualifies } from './qualify.ts';
import { issuersFor, managesAny, policyFor, type AutomationSettings } from './settings.ts';
import { Serving } from './serving.ts';
import { StorageCheck } from './storage-check.ts';
import { cachedManagedCert, certOcspRevoked, type Emit } from './events.ts';
import { WantedNames } from './wanted-names.ts';

const task = taskOf('tls');

/** Maximum numbers of concurrent storage reads and concurrent orders. */
const maxConcurrentLoads = 64;
const orders = 16;
/** Maximum time for which a handshake waits for a certificate, in milliseconds. */
const handshakeTimeout = 10_000;
const never = Number.POSITIVE_INFINITY;

/** Managed names, their owners, and the timer for the next due one. */
export class Management implements NameEvents {
  readonly notices: ChallengeNotices;
  readonly tickets: TicketService;
  readonly stapling: Stapling;
  readonly #bus: ThreadBus;
  readonly #log: Logger;
  readonly #wanted = new WantedNames();
  readonly #names = new ManagedNames(this.#wanted);
  readonly #onDemand: OnDemand;
  readonly #storageCheck = new StorageCheck();
  /** Names of a configuration that is being prepared. */
  readonly #announced = new Set<string>();
  #settings: AutomationSettings | null = null;
  /** Settings of a configuration that is being prepared. */
  #next: AutomationSettings | null = null;
  #emit: Emit = () => undefined;
  readonly emit: Emit = (event, data) => this.#emit(event, data);
  #subscriptions: Unsubscribe[] = [];
  #settling = false;
  readonly #alarm = new Alarm(() => unawaited(task, this.#round()));
  readonly #changes: CertificateChanges;
  readonly #serving: Serving;
  readonly #challenges: StorageChallenges;

  constructor(bus: ThreadBus, log: Logger) {
    this.#bus = bus;
    this.#log = log;
    this.#changes = new CertificateChanges(bus);
    this.notices = new ChallengeNotices(bus);
    this.#challenges = new StorageChallenges(bus, log);
    this.tickets = new TicketService(bus, log);
    this.stapling = new Stapling(bus, log, (certificate, response) => this.#revoked(certificate, response));
    this.#serving = new Serving(this.#changes, this.stapling);
    this.#onDemand = new OnDemand(log);
  }

  /** Managed names, for `GET /certificates`. */
  get names(): Iterable<ManagedName> {
    return this.#names.all();
  }

  /** Starts to handle requests from other threads. */
  open(): void {
    this.#subscriptions = [
      this.#bus.onAsk(allCertificates, () => this.#names.served()),
      this.#bus.onAsk(certificateFor, (hello) => this.#certificateFor(hello)),
      ...this.notices.open(),
      ...this.#challenges.open(),
      ...this.tickets.open(),
      ...this.stapling.open(),
    ];
  }

  /** Stops all management. */
  close(): void {
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#subscriptions = [];
    this.tickets.stop();
    this.stapling.close();
    this.#names.clear();
    this.#wanted.clear();
    this.#alarm.stop();
  }

  /** Applies a configuration. */
  configure(settings: AutomationSettings, emit: Emit): void {
    this.#settings = settings;
    this.#next = null;
    this.#emit = emit;
    this.#forget(settings.capacity);
    this.stapling.configure(staplingRules(settings), settings.ocspInterval);
    this.#challenges.use((name) => (qualifies(name) ? issuersFor(settings, policyFor(settings, name), name) : []));
    this.#challenges.shared = managesAny(settings, this.#wanted);
    for (const managed of this.#names.all()) this.#follow(managed, settings);
    // Deferred, because a name obtained on demand may become explicitly wanted.
    queueMicrotask(guarded(task, () => this.#endOnDemand()));
    this.#scheduleSettling();
    this.#alarm.set(0);
  }

  /** Called when policies or wildcards changed: other names may need their own certificates. */
  #scheduleSettling(): void {
    if (this.#settling) return;
    this.#settling = true;
    queueMicrotask(
      guarded(task, () => {
        this.#settling = false;
        for (const name of this.#wanted.all()) if (qualifies(name)) this.#manage(name);
        // Announced names are not wanted yet, but are kept.
        for (const { name } of this.#names.all()) if (!this.#announced.has(name)) this.#giveUp(name);
        this.#changes.publish();
        this.#alarm.set(0);
      }),
    );
  }

  /** Drops names that were obtained on demand if the configuration no longer allows this. */
  #endOnDemand(): void {
    const settings = this.#settings;
    if (settings === null) return;
    for (const { name } of this.#names.all()) {
      if (!this.#onDemand.has(name)) continue;
      if (policyFor(settings, name).onDemand && settings.permission !== null) continue;
      this.#onDemand.forget(name);
      this.#giveUp(name);
    }
    this.#changes.publish();
  }

  /** Loads stored certificates of names under the settings being prepared, or the current ones. */
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
    await this.#changes.batch(() => inParallel(loaded, maxConcurrentLoads, (managed) => this.#load(managed)));
  }

  async #load(managed: ManagedName): Promise<void> {
    await managed.load().catch((error: unknown) => this.#cannotLoad(managed, error));
    // Loads the stored OCSP response before the certificate is served.
    await this.stapling.get(managed.certificate?.hash ?? '')?.load();
    if (!this.#names.has(managed.name)) this.#names.add(managed);
  }

  /** Sets the names wanted by an owner. Names that are no longer wanted are dropped. */
  want(owner: string, names: readonly string[]): void {
    const before = this.#wanted.of(owner);
    const now = new Set(names);
    const removed = [...before].filter((name) => !now.has(name));
    this.change(owner, names, removed);
  }

  /** Changes the names wanted by an owner. */
  change(owner: string, added: readonly string[], removed: readonly string[]): void {
    if (this.#wanted.change(owner, added, removed)) this.#scheduleSettling();
    if (this.#settings !== null) this.#challenges.shared = managesAny(this.#settings, this.#wanted);
    for (const name of removed) this.#giveUp(name);
    for (const name of added) this.#manage(name);
    // Drops announced names that no owner wants, for example because their configuration was rejected.
    if (this.#announced.size > 0) queueMicrotask(guarded(task, () => this.#endAnnouncements()));
    this.#alarm.set(0);
  }

  #manage(name: string): void {
    const settings = this.#settings;
    if (settings === null || this.#names.has(name)) return;
    if (!qualifies(name)) this.#log.warn('cannot obtain a certificate for this name', { name });
    else if (this.#names.hasItsOwn(name, settings)) this.#names.add(this.#make(name, settings));
  }

  #giveUp(name: string): void {
    const managed = this.#names.get(name);
    if (managed === undefined || this.#onDemand.has(name)) return;
    const settings = this.#settings;
    if (settings !== null && this.#wanted.has(name) && this.#names.hasItsOwn(name, settings)) return;
    managed.stop();
    this.#names.delete(name);
    this.#serving.withdraw(managed);
  }

  #endAnnouncements(): void {
    const announced = [...this.#announced];
    this.#announced.clear();
    for (const name of announced) this.#giveUp(name);
  }

  changed(managed: ManagedName, certificate: Certificate, before: Certificate | null): void {
    const settings = this.#next ?? this.#settings;
    if (settings !== null) unawaited(task, this.stapling.add(certificate, staplingRules(settings)));
    this.#emit(cachedManagedCert, { sans: certificate.names, replaces: before?.hash ?? null });
    this.#alarm.set(Math.min(managed.due, managed.askAt));
    if (before === null && managed.name.startsWith('*')) this.#scheduleSettling();
    this.#serving.changed(managed, certificate, before);
  }

  #revoked({ hash }: Certificate, { reason, revokedAt }: OcspResponse): void {
    for (const managed of this.#names.all()) {
      if (managed.certificate?.hash !== hash) continue;
      this.#emit(certOcspRevoked, { subjects: [managed.name], reason, revoked_at: revokedAt });
      managed.replace(reason === 'keyCompromise');
      this.#alarm.set(managed.due);
    }
  }

  /** Renews the certificate of a managed name now. Returns `null` if the name is not managed. */
  renew(name: string): ManagedName | null {
    const managed = this.#names.get(name);
    if (managed === undefined) return null;
    // An operation in progress continues; issuers that rejected the name are tried again.
    managed.issuing.clearRejections();
    managed.due = 0;
    this.#alarm.set(0);
    return managed;
  }

  async checkStorage(storage: Storage): Promise<void> {
    if (this.#settings?.checksStorage === true) await this.#storageCheck.check(storage);
  }

  #make(name: string, settings: AutomationSettings): ManagedName {
    const policy = policyFor(settings, name);
    return new ManagedName(name, policy, { issuers: issuersFor(settings, policy, name), events: this, log: this.#log });
  }

  #follow(managed: ManagedName, settings: AutomationSettings): void {
    const policy = policyFor(settings, managed.name);
    managed.follow(policy, issuersFor(settings, policy, managed.name));
  }

  #cannotLoad({ name }: ManagedName, error: unknown): void {
    this.#log.error('failed to read storage', { identifier: name, error });
  }

  /** Drops the oldest on-demand certificates above the capacity; the next handshake loads them from storage again. */
  #forget(capacity: number): void {
    for (const name of this.#onDemand.beyond(capacity)) this.#giveUp(name);
  }

  /** Handles a handshake without a valid certificate: waits for one in progress, or obtains one on demand. */
  async #certificateFor(hello: ClientHello): Promise<Certificate | null> {
    const name = hello.serverName === '' ? hello.localAddress : hello.serverName;
    const managed = this.#names.covering(name);
    if (managed !== undefined) {
      const { certificate } = managed;
      if (certificate === null || !isValidAt(certificate, Date.now())) await within(managed.run(), handshakeTimeout);
      this.#changes.publish();
      return managed.certificate;
    }
    const settings = this.#settings;
    if (settings === null) return null;
    const policy = policyFor(settings, name);
    for (const manager of policy.managers) {
      const pair = await manager.get(hello, AbortSignal.timeout(handshakeTimeout)).catch((error: unknown) => {
        this.#log.error('certificate manager failed', { server_name: name, error });
        return null;
      });
      if (pair !== null) return readCertificate(pair, { tags: [], source: 'get_certificate', issuerKey: null });
    }
    if (!policy.onDemand || !qualifies(name)) return null;
    const allowed = await this.#onDemand.allows(name, settings.permission);
    if (!allowed) return null;
    const made = this.#names.get(name) ?? this.#make(name, settings);
    this.#names.add(made);
    this.#forget(settings.capacity);
    await within(made.run(), handshakeTimeout);
    this.#changes.publish();
    return made.certificate;
  }

  async #round(): Promise<void> {
    this.#changes.publish();
    await inParallel(this.#names.due(Date.now()), orders, (managed) => managed.run());
    this.#alarm.set(Math.min(this.#names.nextDue(), Date.now() + (this.#settings?.renewInterval ?? never)));
  }
}
