/** An automation policy under construction, with cached properties. */
import { isPublicName } from './tls-subjects.ts';
import type { AutomationPolicy } from './tls-values.ts';

/** Automation policy of a site, or a policy for all names. */
export interface DraftPolicy {
  readonly policy: AutomationPolicy;
  /** True if the internal issuer is not configured but was added automatically because the names require it. */
  readonly implicit: boolean;
}

const internalIssuer = JSON.stringify([{ module: 'internal' }]);

/** An automation policy that can absorb other policies. */
export class PolicyEntry {
  readonly draft: DraftPolicy;
  readonly settings: string;
  /** True if the policy lists names but has no settings. */
  readonly saysNothing: boolean;
  /** Issuers serialized as JSON. Empty if the policy has no issuers. */
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

  /** Names that the policy manages. An empty list means all names. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Returns a key for the issuers. Policies with different keys have different issuers. */
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

  /** Reports whether the policy has exactly the given names, in the same order. */
  hasSameNames(names: readonly string[]): boolean {
    return names.length === this.#names.length && names.every((name, at) => name === this.#names[at]);
  }

  /** Reports whether both policies select the same issuers for their names. */
  hasIssuersOf(other: PolicyEntry): boolean {
    if (this.#issuers !== '' && this.#issuers === other.#issuers) return true;
    if (!this.#namesNoIssuer || !other.#namesNoIssuer) return false;
    // If no issuer is configured, public and internal names get different issuers.
    if (this.#names.length > 0 && other.#names.length > 0) return this.#publicity === other.#publicity;
    return !this.draft.implicit && !other.draft.implicit;
  }

  get #namesNoIssuer(): boolean {
    return this.#issuers === '' || this.draft.implicit;
  }

  /**
   * Reports whether all, none, or some of the names are public. A policy for Tailscale names can contain both public and internal names,
   * because Tailscale names are not separated.
   */
  get #publicity(): 'all' | 'none' | 'some' {
    return this.#publicNames === this.#names.length ? 'all' : this.#publicNames === 0 ? 'none' : 'some';
  }
}
