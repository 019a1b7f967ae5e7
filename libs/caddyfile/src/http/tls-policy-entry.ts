/** Automation policy under construction, with cached properties. */
import { isPublicName } from './tls-subjects.ts';
import type { AutomationPolicy } from './tls-values.ts';

/** Policy of a site, or for all names. */
export interface DraftPolicy {
  readonly policy: AutomationPolicy;
  /** True if the internal issuer was only added because the names need it. */
  readonly implicit: boolean;
}

const internalIssuer = JSON.stringify([{ module: 'internal' }]);

/** Policy that other policies can be joined to. */
export class PolicyEntry {
  readonly draft: DraftPolicy;
  readonly settings: string;
  /** True if the policy only lists names. */
  readonly saysNothing: boolean;
  /** Issuers as JSON text; empty for none. */
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

  /** Managed names. Empty means all names. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Policies with different group keys have different issuers. */
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

  /** Reports whether the policy has exactly these names, in this order. */
  hasSameNames(names: readonly string[]): boolean {
    return names.length === this.#names.length && names.every((name, at) => name === this.#names[at]);
  }

  /** Reports whether names get the same issuers from both policies. */
  hasIssuersOf(other: PolicyEntry): boolean {
    if (this.#issuers !== '' && this.#issuers === other.#issuers) return true;
    if (!this.#namesNoIssuer || !other.#namesNoIssuer) return false;
    // Without an issuer, public names and internal names get different issuers.
    if (this.#names.length > 0 && other.#names.length > 0) return this.#publicity === other.#publicity;
    return !this.draft.implicit && !other.draft.implicit;
  }

  get #namesNoIssuer(): boolean {
    return this.#issuers === '' || this.draft.implicit;
  }

  /**
   * Returns the share of public names. A policy with Tailscale names can contain both kinds, because these names are
   * not separated.
   */
  get #publicity(): 'all' | 'none' | 'some' {
    return this.#publicNames === this.#names.length ? 'all' : this.#publicNames === 0 ? 'none' : 'some';
  }
}
