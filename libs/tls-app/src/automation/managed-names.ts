/** The names that certificates are obtained for: which have one of their own, which wildcard is for the others, which are due. */
import type { Certificate } from '../certificates/certificate.ts';
import type { ManagedName } from './managed-name.ts';
import { policyFor, type AutomationSettings } from './settings.ts';
import { automateOwner, type WantedNames } from './wanted-names.ts';

/** The managed names by name, and the questions that depend on what is wanted beside them. */
export class ManagedNames {
  readonly #wanted: WantedNames;
  readonly #byName = new Map<string, ManagedName>();

  constructor(wanted: WantedNames) {
    this.#wanted = wanted;
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  get(name: string): ManagedName | undefined {
    return this.#byName.get(name);
  }

  add(managed: ManagedName): void {
    this.#byName.set(managed.name, managed);
  }

  delete(name: string): void {
    this.#byName.delete(name);
  }

  clear(): void {
    for (const managed of this.#byName.values()) managed.stop();
    this.#byName.clear();
  }

  /** All of them, also while some are removed. */
  all(): readonly ManagedName[] {
    return [...this.#byName.values()];
  }

  /** The certificates that are served now. */
  served(): Certificate[] {
    return this.all().flatMap(({ served }) => (served === null ? [] : [served]));
  }

  /** The managed name for a handshake: the name itself, or a managed wildcard that is for it. */
  covering(name: string): ManagedName | undefined {
    const own = this.#byName.get(name);
    if (own !== undefined) return own;
    const wildcard = this.#wanted.wildcardsFor(name).find((each) => this.#byName.has(each));
    return wildcard === undefined ? undefined : this.#byName.get(wildcard);
  }

  /**
   * Whether a wanted name has a certificate of its own before any client asks for it. One whose policy says on demand has
   * none; nor has one that a wanted wildcard is for, unless the configuration lists it to be automated.
   */
  hasItsOwn(name: string, settings: AutomationSettings): boolean {
    if (policyFor(settings, name).onDemand) return false;
    return this.#wanted.of(automateOwner).has(name) || !this.#isCovered(name, settings);
  }

  /** Whether a wildcard is for a name. A certificate that the name has stays until the wildcard has one. */
  #isCovered(name: string, settings: AutomationSettings): boolean {
    const hasOne = (this.#byName.get(name)?.certificate ?? null) !== null;
    return this.#wanted
      .wildcardsFor(name)
      .some(
        (wildcard) =>
          !policyFor(settings, wildcard).onDemand && !(hasOne && this.#byName.get(wildcard)?.certificate == null),
      );
  }

  /** Those that have something to do now. */
  due(now: number): ManagedName[] {
    return this.all().filter((managed) => !managed.busy && Math.min(managed.dueAt(now), managed.askAt) <= now);
  }

  /** When the next one has something to do. */
  nextDue(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const managed of this.#byName.values()) next = Math.min(next, managed.due, managed.askAt);
    return next;
  }
}
