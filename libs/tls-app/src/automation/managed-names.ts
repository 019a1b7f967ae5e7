/** All managed names: which of them need their own certificate, which ones a wildcard covers, and when they are due. */
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

  /** Returns a copy of the list, so that names may be removed during iteration. */
  all(): readonly ManagedName[] {
    return [...this.values()];
  }

  served(): Certificate[] {
    return this.all().flatMap(({ served }) => (served === null ? [] : [served]));
  }

  /** Returns the managed name for a handshake: the name itself, or a wildcard that covers the name. */
  covering(name: string): ManagedName | undefined {
    const own = this.get(name);
    if (own !== undefined) return own;
    const wildcard = this.#wanted.wildcardsFor(name).find((each) => this.has(each));
    return wildcard === undefined ? undefined : this.get(wildcard);
  }

  /**
   * Reports whether a name gets its own certificate before a client requests it. On-demand names do not. Names covered
   * by a wildcard don't either, unless the configuration explicitly automates them.
   */
  hasItsOwn(name: string, settings: AutomationSettings): boolean {
    if (policyFor(settings, name).onDemand) return false;
    return this.#wanted.of(automateOwner).has(name) || !this.#isCovered(name, settings);
  }

  /**
   * Reports whether a wildcard covers a name. An existing certificate of the name is kept until the wildcard has one.
   */
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

  /** Returns the time at which the next name is due. */
  nextDue(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const managed of this.values()) next = Math.min(next, managed.due, managed.askAt);
    return next;
  }
}
