/** Obtains and renews the certificates of all required names. Runs in the control thread. */
import { taskOf, unawaited, type Logger } from '@sluice/base';
import type { Storage } from '@sluice/contracts';
import type { ThreadBus, Unsubscribe } from '@sluice/threads';
import type { Certificate } from '../certificates/certificate.ts';
import { ChallengeNotices } from '../challenges/notices.ts';
import { StorageChallenges } from '../challenges/storage-challenges.ts';
import { allCertificates, certificateFor } from '../certificates/messages.ts';
import type { OcspResponse } from '../ocsp/response.ts';
import { Stapling } from '../ocsp/stapling.ts';
import { Alarm } from '../schedule/alarm.ts';
import { inParallel } from '../schedule/in-parallel.ts';
import { TicketService } from '../tickets/ticket-service.ts';
import { CertificateChanges } from './certificate-changes.ts';
import { StorageCleaning } from './cleaning.ts';
import { cachedManagedCert, certOcspRevoked, type Emit } from './events.ts';
import { HandshakeCertificates } from './handshake-certificates.ts';
import type { ManagedName } from './managed-name.ts';
import type { NameEvents } from './name-host.ts';
import { NameLifecycle } from './name-lifecycle.ts';
import { OnDemand } from './on-demand.ts';
import { qualifies } from './qualify.ts';
import { Serving } from './serving.ts';
import { issuersFor, policyFor, type AutomationSettings } from './settings.ts';
import { staplingRules } from './stapling-rules.ts';
import { StorageCheck } from './storage-check.ts';

const task = taskOf('tls');

const maxConcurrentOrders = 16;
const never = Number.POSITIVE_INFINITY;

/** Sets up the parts of certificate management and runs due tasks. */
export class Management implements NameEvents {
  readonly lifecycle: NameLifecycle;
  readonly notices: ChallengeNotices;
  readonly tickets: TicketService;
  readonly stapling: Stapling;
  readonly cleaning: StorageCleaning;
  readonly #bus: ThreadBus;
  readonly #handshakes: HandshakeCertificates;
  readonly #storageCheck = new StorageCheck();
  #emit: Emit = () => undefined;
  readonly emit: Emit = (event, data) => this.#emit(event, data);
  #subscriptions: Unsubscribe[] = [];
  readonly #alarm = new Alarm(() => unawaited(task, this.#round()));
  readonly #changes: CertificateChanges;
  readonly #serving: Serving;
  readonly #challenges: StorageChallenges;

  constructor(bus: ThreadBus, log: Logger) {
    this.#bus = bus;
    this.#changes = new CertificateChanges(bus);
    this.notices = new ChallengeNotices(bus);
    this.#challenges = new StorageChallenges(bus, log);
    this.tickets = new TicketService(bus, log);
    this.stapling = new Stapling(bus, log, (certificate, response) => this.#revoked(certificate, response));
    this.cleaning = new StorageCleaning(log);
    this.#serving = new Serving(this.#changes, this.stapling);
    const host = {
      log,
      events: this,
      onDemand: new OnDemand(log),
      changes: this.#changes,
      serving: this.#serving,
      stapling: this.stapling,
      changed: () => this.#namesChanged(),
    };
    this.lifecycle = new NameLifecycle(host);
    this.#handshakes = new HandshakeCertificates(this.lifecycle, host);
  }

  /** Starts responding to requests from other threads. */
  open(): void {
    this.#subscriptions = [
      this.#bus.onAsk(allCertificates, () => this.lifecycle.names.served()),
      this.#bus.onAsk(certificateFor, (hello) => this.#handshakes.find(hello)),
      ...this.notices.open(),
      ...this.#challenges.open(),
      ...this.tickets.open(),
      ...this.stapling.open(),
    ];
  }

  close(): void {
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#subscriptions = [];
    this.tickets.stop();
    this.cleaning.stop();
    this.stapling.close();
    this.lifecycle.clear();
    this.#alarm.stop();
  }

  /** Applies a configuration. */
  configure(settings: AutomationSettings, emit: Emit): void {
    this.#emit = emit;
    this.lifecycle.configure(settings);
    this.stapling.configure(staplingRules(settings), settings.ocspInterval);
    this.#challenges.use((name) => (qualifies(name) ? issuersFor(settings, policyFor(settings, name), name) : []));
    this.#namesChanged();
  }

  /** Starts renewing the certificate of a managed name immediately. Returns `null` if the name is not managed. */
  renew(name: string): ManagedName | null {
    const managed = this.lifecycle.names.get(name);
    if (managed === undefined) return null;
    // An operation in progress is not interrupted. Issuers that have rejected the name may be tried again.
    managed.issuing.clearRejections();
    managed.due = 0;
    this.#alarm.set(0);
    return managed;
  }

  changed(managed: ManagedName, certificate: Certificate, before: Certificate | null): void {
    const settings = this.lifecycle.latest;
    if (settings !== null) unawaited(task, this.stapling.add(certificate, staplingRules(settings)));
    this.#emit(cachedManagedCert, { sans: certificate.names, replaces: before?.hash ?? null });
    this.#alarm.set(Math.min(managed.due, managed.askAt));
    if (before === null && managed.name.startsWith('*')) this.lifecycle.settle();
    this.#serving.changed(managed, certificate, before);
  }

  async checkStorage(storage: Storage): Promise<void> {
    if (this.lifecycle.settings?.checksStorage === true) await this.#storageCheck.check(storage);
  }

  #revoked({ hash }: Certificate, { reason, revokedAt }: OcspResponse): void {
    for (const managed of this.lifecycle.names.all()) {
      if (managed.certificate?.hash !== hash) continue;
      this.#emit(certOcspRevoked, { subjects: [managed.name], reason, revoked_at: revokedAt });
      managed.replace(reason === 'keyCompromise');
      this.#alarm.set(managed.due);
    }
  }

  #namesChanged(): void {
    this.#challenges.shared = this.lifecycle.managesAny;
    this.#alarm.set(0);
  }

  async #round(): Promise<void> {
    const { names } = this.lifecycle;
    this.#changes.publish();
    await inParallel(names.due(Date.now()), maxConcurrentOrders, (managed) => managed.run());
    this.#alarm.set(Math.min(names.nextDue(), Date.now() + (this.lifecycle.settings?.renewInterval ?? never)));
  }
}
