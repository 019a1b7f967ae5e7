/** Starts and stops the management of names that configurations and other owners require. Applies policies to names. */
import { guarded, taskOf, type Logger } from '@sluice/base';
import type { Stapling } from '../ocsp/stapling.ts';
import { inParallel } from '../schedule/in-parallel.ts';
import type { CertificateChanges } from './certificate-changes.ts';
import { ManagedName } from './managed-name.ts';
import { ManagedNames } from './managed-names.ts';
import type { NameEvents } from './name-host.ts';
import type { OnDemand } from './on-demand.ts';
import { qualifies } from './qualify.ts';
import type { Serving } from './serving.ts';
import { issuersFor, managesAny, policyFor, type AutomationSettings } from './settings.ts';
import { WantedNames } from './wanted-names.ts';

const task = taskOf('tls');

/** Maximum number of concurrent reads from storage. */
const maxConcurrentLoads = 64;

/** Parts of certificate management that the name lifecycle uses. */
export interface LifecycleHost {
  readonly log: Logger;
  readonly events: NameEvents;
  readonly onDemand: OnDemand;
  readonly changes: CertificateChanges;
  readonly serving: Serving;
  readonly stapling: Stapling;
  /** Called when names have been added or dropped. */
  readonly changed: () => void;
}

export class NameLifecycle {
  readonly #host: LifecycleHost;
  readonly #wanted = new WantedNames();
  readonly names = new ManagedNames(this.#wanted);
  /** Names required by a configuration that is not active yet. */
  readonly #announced = new Set<string>();
  #settings: AutomationSettings | null = null;
  /** Automation settings of a configuration that is not active yet, or null. */
  #next: AutomationSettings | null = null;
  #settling = false;

  constructor(host: LifecycleHost) {
    this.#host = host;
  }

  /** Settings of the active configuration, or `null` if there is none. */
  get settings(): AutomationSettings | null {
    return this.#settings;
  }

  /** Settings of the configuration being prepared. If there is none, settings of the active configuration. */
  get latest(): AutomationSettings | null {
    return this.#next ?? this.#settings;
  }

  /** True if any names are required or any policies exist. */
  get managesAny(): boolean {
    return this.#settings !== null && managesAny(this.#settings, this.#wanted);
  }

  /** Applies a configuration: updates the set of managed names and the policy of each name. */
  configure(settings: AutomationSettings): void {
    this.#settings = settings;
    this.#next = null;
    this.#dropBeyond(settings.capacity);
    for (const managed of this.names.all()) {
      const policy = policyFor(settings, managed.name);
      managed.follow(policy, issuersFor(settings, policy, managed.name));
    }
    // Run this at the end of the turn, because names obtained on demand may still be explicitly configured in this turn.
    queueMicrotask(guarded(task, () => this.#endOnDemand()));
    this.settle();
  }

  /** Loads stored certificates for names. Uses the settings being prepared, or else the active settings. */
  async preload(names: readonly string[], settings: AutomationSettings | null = null): Promise<void> {
    this.#next = settings ?? this.#next;
    const { latest } = this;
    if (latest === null) return;
    const fresh = names.filter((name) => !this.names.has(name) && qualifies(name) && !policyFor(latest, name).onDemand);
    const loaded = fresh.map((name) => {
      this.#announced.add(name);
      return this.#make(name, latest);
    });
    await this.#host.changes.batch(() => inParallel(loaded, maxConcurrentLoads, (managed) => this.#load(managed)));
  }

  /** Sets the names that an owner requires. Drops names that no owner requires anymore. */
  want(owner: string, names: readonly string[]): void {
    const before = this.#wanted.of(owner);
    const now = new Set(names);
    const removed = [...before].filter((name) => !now.has(name));
    this.change(owner, names, removed);
  }

  change(owner: string, added: readonly string[], removed: readonly string[]): void {
    if (this.#wanted.change(owner, added, removed)) this.settle();
    for (const name of removed) this.#giveUp(name);
    for (const name of added) this.#manage(name);
    // Drop preloaded names that no owner requires, for example because their configuration was rejected.
    if (this.#announced.size > 0) queueMicrotask(guarded(task, () => this.#endAnnouncements()));
    this.#host.changed();
  }

  /**
   * Starts managing a name that a client requested. If there are too many on-demand names, drops the oldest ones. The next handshake loads
   * a dropped name's certificate from storage.
   */
  manageOnDemand(name: string, settings: AutomationSettings): ManagedName {
    const managed = this.names.get(name) ?? this.#make(name, settings);
    this.names.set(managed.name, managed);
    this.#dropBeyond(settings.capacity);
    return managed;
  }

  /** Called when policies or wildcards have changed. Such changes can affect which names need certificates of their own. */
  settle(): void {
    if (this.#settling) return;
    this.#settling = true;
    queueMicrotask(
      guarded(task, () => {
        this.#settling = false;
        for (const name of this.#wanted.all()) if (qualifies(name)) this.#manage(name);
        // Keep the names of a configuration that is not active yet.
        for (const { name } of this.names.all()) if (!this.#announced.has(name)) this.#giveUp(name);
        this.#host.changes.publish();
        this.#host.changed();
      }),
    );
  }

  clear(): void {
    this.names.clear();
    this.#wanted.clear();
  }

  #make(name: string, settings: AutomationSettings): ManagedName {
    const { events, log } = this.#host;
    const policy = policyFor(settings, name);
    return new ManagedName(name, policy, { issuers: issuersFor(settings, policy, name), events, log });
  }

  async #load(managed: ManagedName): Promise<void> {
    const { log, stapling } = this.#host;
    await managed
      .load()
      .catch((error: unknown) =>
        log.error('failed to read certificate from storage', { identifier: managed.name, error }),
      );
    // Load the stored OCSP response before serving the certificate.
    await stapling.get(managed.certificate?.hash ?? '')?.load();
    if (!this.names.has(managed.name)) this.names.set(managed.name, managed);
  }

  #manage(name: string): void {
    const settings = this.#settings;
    if (settings === null || this.names.has(name)) return;
    if (!qualifies(name)) this.#host.log.warn('cannot obtain a certificate for this name', { name });
    else if (this.names.hasItsOwn(name, settings)) this.names.set(name, this.#make(name, settings));
  }

  #giveUp(name: string): void {
    const managed = this.names.get(name);
    if (managed === undefined || this.#host.onDemand.has(name)) return;
    const settings = this.#settings;
    if (settings !== null && this.#wanted.has(name) && this.names.hasItsOwn(name, settings)) return;
    managed.stop();
    this.names.delete(name);
    this.#host.serving.withdraw(managed);
  }

  #endAnnouncements(): void {
    const announced = [...this.#announced];
    this.#announced.clear();
    for (const name of announced) this.#giveUp(name);
  }

  /** Drops names obtained on demand if the configuration no longer allows on-demand issuance for them. */
  #endOnDemand(): void {
    const { onDemand, changes } = this.#host;
    const settings = this.#settings;
    if (settings === null) return;
    for (const { name } of this.names.all()) {
      if (!onDemand.has(name)) continue;
      if (policyFor(settings, name).onDemand && settings.permission !== null) continue;
      onDemand.forget(name);
      this.#giveUp(name);
    }
    changes.publish();
  }

  #dropBeyond(capacity: number): void {
    for (const name of this.#host.onDemand.beyond(capacity)) this.#giveUp(name);
  }
}
