/**
 * All managed names. Determines which names get certificates of their own, which names a wildcard covers, and when names are due for
 * renewal.
 */
import type { Certificate } from '../certificates/certificate.ts';
import type { ManagedName } from './managed-name.ts';
import { policyFor, type AutomationSettings } from './settings.ts';
import { automateOwner, type WantedNames } from './wanted-names.ts';

export class ManagedNames extends Map<string, ManagedName> {
  readonly #wanted: WantedNames;

  constructor(wanted: WantedNames) {
    super();
    this.#wanted = wanted;
  }

  override clear(): void {
    for (const managed of this.values()) managed.stop();
    super.clear();
  }

  /** Returns a copy of the list, so that callers can remove names while iterating. */
  all(): readonly ManagedName[] {
    return [...this.values()];
  }

  served(): Certificate[] {
    return this.all().flatMap(({ served }) => (served === null ? [] : [served]));
  }

  /** Returns the managed name for a handshake: the exact name, or a wildcard that covers it. */
  covering(name: string): ManagedName | undefined {
    const own = this.get(name);
    if (own !== undefined) return own;
    const wildcard = this.#wanted.wildcardsFor(name).find((each) => this.has(each));
    return wildcard === undefined ? undefined : this.get(wildcard);
  }

  /**
   * Reports whether a name gets its own certificate before a client requests it. On-demand names never get one. A name that a wildcard
   * covers gets one only if the configuration explicitly automates the name.
   */
  hasItsOwn(name: string, settings: AutomationSettings): boolean {
    if (policyFor(settings, name).onDemand) return false;
    return this.#wanted.of(automateOwner).has(name) || !this.#isCovered(name, settings);
  }

  /** Reports whether a wildcard covers a name. If the name already has a certificate, that certificate is kept until the wildcard has one. */
  #isCovered(name: string, settings: AutomationSettings): boolean {
    const hasOne = (this.get(name)?.certificate ?? null) !== null;
    return this.#wanted
      .wildcardsFor(name)
      .some(
        (wildcard) => !policyFor(settings, wildcard).onDemand && !(hasOne && this.get(wildcard)?.certificate == null),
      );
  }

  due(now: number): ManagedName[] {
    return this.all().filter((managed) => !managed.busy && Math.min(managed.dueAt(now), managed.askAt) <= now);
  }

  /** Returns the earliest time at which a name is due. */
  nextDue(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const managed of this.values()) next = Math.min(next, managed.due, managed.askAt);
    return next;
  }
}
