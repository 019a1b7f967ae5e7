/** Index of Ingresses by path and host. It finds the Ingresses affected by a change without visiting all of them. */
import { ReferenceIndex } from '../reference-index.ts';
import { factsOf, type IngressFacts } from './claims.ts';
import type { Ingress } from './objects.ts';
import { ingressTargets } from './scope.ts';

/** Other units whose configuration may change when an Ingress changes. */
export interface Affected {
  readonly targets: ReadonlySet<string>;
  readonly hosts: ReadonlySet<string>;
}

const none: IngressFacts = {
  claims: new Set(),
  hosts: new Set(),
  allHosts: new Set(),
  expressionHosts: new Set(),
  isCanary: false,
  hostFacts: '',
};

export class IngressIndex {
  readonly #prefix: string;
  readonly #ingresses = new Map<string, Ingress>();
  readonly #facts = new Map<string, IngressFacts>();
  readonly #claims = new ReferenceIndex();
  readonly #hosts = new ReferenceIndex();
  readonly #allHosts = new ReferenceIndex();
  readonly #expressionHosts = new ReferenceIndex();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get keys(): Iterable<string> {
    return this.#ingresses.keys();
  }

  get(key: string): Ingress | undefined {
    return this.#ingresses.get(key);
  }

  /** Adds or replaces an Ingress, or removes it if `ingress` is `null`. */
  set(key: string, ingress: Ingress | null): Affected {
    const before = this.#facts.get(key) ?? none;
    const after = ingress === null ? none : factsOf(ingress, this.#prefix);
    const hosts = new Set([...before.allHosts, ...after.allHosts]);
    const states = [...hosts].map((host) => this.#stateOf(host));
    this.#claims.set(key, after.claims);
    this.#hosts.set(key, after.hosts);
    this.#allHosts.set(key, after.allHosts);
    this.#expressionHosts.set(key, after.expressionHosts);
    if (ingress === null) {
      this.#ingresses.delete(key);
      this.#facts.delete(key);
    } else {
      this.#ingresses.set(key, ingress);
      this.#facts.set(key, after);
    }
    const targets = new Set([...before.claims, ...after.claims].map(ingressTargets.claim));
    const changed = before.hostFacts === after.hostFacts ? new Set<string>() : hosts;
    for (const [i, host] of [...hosts].entries()) {
      if (states[i] === this.#stateOf(host)) continue;
      targets.add(ingressTargets.host(host));
      changed.add(host);
    }
    return { targets, hosts: changed };
  }

  *claimants(claim: string): Iterable<Ingress> {
    yield* this.#found(this.#claims.dependentsOf(claim));
  }

  *ingressesOf(host: string): Iterable<Ingress> {
    yield* this.#found(this.#allHosts.dependentsOf(host));
  }

  /** Returns the hosts in the rules and TLS entries of an Ingress. */
  hostsOf(key: string): ReadonlySet<string> {
    return this.#facts.get(key)?.allHosts ?? none.allHosts;
  }

  isHost(host: string): boolean {
    return this.#hosts.dependentsOf(host).size > 0;
  }

  usesExpressions(host: string): boolean {
    return this.#expressionHosts.dependentsOf(host).size > 0;
  }

  *#found(keys: ReadonlySet<string>): Iterable<Ingress> {
    for (const key of keys) {
      const ingress = this.#ingresses.get(key);
      if (ingress !== undefined) yield ingress;
    }
  }

  #stateOf(host: string): string {
    return `${this.isHost(host)} ${this.usesExpressions(host)}`;
  }
}
