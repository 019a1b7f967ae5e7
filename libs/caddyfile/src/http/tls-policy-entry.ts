/** An automation policy under construction, with what is asked of it often. */
import { isPublicName } from './tls-subjects.ts';
import type { AutomationPolicy } from './tls-values.ts';

/** A policy of a site, or for all names. */
export interface DraftPolicy {
  readonly policy: AutomationPolicy;
  /** Whether the internal issuer is there only because its names need it. */
  readonly implicit: boolean;
}

const internalIssuer = JSON.stringify([{ module: 'internal' }]);

/** A draft that others can be joined to. */
export class PolicyEntry {
  readonly draft: DraftPolicy;
  /** What it says beside names, issuers and OCSP, as text; OCSP is as the global options have it. */
  readonly settings: string;
  /** Whether it says no more than its names. */
  readonly saysNothing: boolean;
  /** Its issuers as text; empty for none. */
  readonly #issuers: string;
  readonly #names: string[];
  readonly #known: Set<string>;
  #publicNames = 0;

  constructor(draft: DraftPolicy) {
    this.draft = draft;
    const { subjects = [], issuers, disable_ocsp_stapling: noOcsp, ...settings } = draft.policy;
    const said = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
    this.settings = JSON.stringify(said);
    this.saysNothing = issuers === undefined && noOcsp === undefined && said.length === 0;
    this.#issuers = issuers === undefined ? '' : JSON.stringify(issuers);
    this.#names = [];
    this.#known = new Set();
    this.addNames(subjects);
  }

  /** Its names; none for all names. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Entries with different ones have different issuers. */
  get issuersGroup(): string {
    return this.#issuers === internalIssuer ? '' : this.#issuers;
  }

  get policy(): AutomationPolicy {
    return this.#names.length === 0 ? this.draft.policy : { ...this.draft.policy, subjects: this.#names };
  }

  addNames(names: readonly string[]): void {
    for (const name of names) {
      if (this.#known.has(name)) continue;
      this.#known.add(name);
      this.#names.push(name);
      if (isPublicName(name, this.draft.policy.on_demand)) this.#publicNames++;
    }
  }

  /** Whether it has these names, in this order, and no other. */
  hasSameNames(names: readonly string[]): boolean {
    return names.length === this.#names.length && names.every((name, at) => name === this.#names[at]);
  }

  /** Whether names get their certificates from the same issuers by both. */
  hasIssuersOf(other: PolicyEntry): boolean {
    if (this.#issuers !== '' && this.#issuers === other.#issuers) return true;
    if (!this.#namesNoIssuer || !other.#namesNoIssuer) return false;
    // Without an issuer, public names and others get different ones.
    if (this.#names.length > 0 && other.#names.length > 0) return this.#publicity === other.#publicity;
    return !this.draft.implicit && !other.draft.implicit;
  }

  get #namesNoIssuer(): boolean {
    return this.#issuers === '' || this.draft.implicit;
  }

  /** Whether its names are all public, all others, or both, as with names of Tailscale, which are not set apart. */
  get #publicity(): 'all' | 'none' | 'some' {
    return this.#publicNames === this.#names.length ? 'all' : this.#publicNames === 0 ? 'none' : 'some';
  }
}
