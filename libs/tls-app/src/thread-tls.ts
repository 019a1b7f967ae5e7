/** TLS state of a thread: certificates, TLS contexts and ACME challenges. It is kept across configuration changes. */
import type { Context, Segment } from '@sluice/registry';
import type { JsonArray, JsonObject, Logger } from '@sluice/base';
import type { TerminationSettings, TlsApp, TlsTermination, WantedCertificates, ClientHello } from '@sluice/contracts';
import type { Tally, ThreadBus, Unsubscribe } from '@sluice/threads';
import type { Management } from './automation/management.ts';
import type { Certificate } from './certificates/certificate.ts';
import { CertificateIndex } from './certificates/certificate-index.ts';
import { LoadedCertificates } from './certificates/loaded-certificates.ts';
import { matchesName } from './certificates/names.ts';
import { best } from './certificates/selection.ts';
import { ChallengeResponses } from './challenges/responses.ts';
import { isTooEarly } from './schedule/schedule.ts';
import { allStaples, staplesChanged } from './ocsp/messages.ts';
import { currentTicketKeys, ticketKeysChanged } from './tickets/messages.ts';
import {
  allChallenges,
  areChallengesShared,
  challengeChanged,
  challengesShared,
  sharedChallenge,
} from './challenges/messages.ts';
import {
  allCertificates,
  certificateFor,
  certificatesChanged,
  certificatesReloaded,
  type CertificateChanges,
} from './certificates/messages.ts';
import { Staples } from './ocsp/staples.ts';
import { provisionPolicy, serverProtocolsToken, type ConnectionPolicy } from './policies/connection-policy.ts';
import { ContextCache } from './policies/context-cache.ts';
import { HandshakeCounter } from './termination/handshake-counter.ts';
import type { HandshakeTls } from './termination/handshake-host.ts';

/** Maximum number of cached TLS contexts. A context that was evicted is created again at the next handshake. */
const contextCapacity = 2048;
/** Limits of the cache for names without a certificate: time to live in milliseconds, and maximum number of names. */
const unknownFor = 1000;
const maxUnknown = 10_000;
/** Maximum number of handshakes that can wait for the control thread. */
const maxAsking = 1000;

/** TLS state of one thread. Implements the interface of the `tls` app. */
export class ThreadTls implements TlsApp, HandshakeTls {
  readonly index = new CertificateIndex();
  readonly contexts = new ContextCache(contextCapacity);
  readonly challenges = new ChallengeResponses((sought) => this.bus.ask(sharedChallenge, sought));
  readonly staples = new Staples();
  readonly loaded: LoadedCertificates;
  readonly log: Logger;
  readonly management: Management | null;
  readonly bus: ThreadBus;
  readonly handshakes: HandshakeCounter;
  readonly #managed = new Map<string, Certificate>();
  /** Names that each owner requires, and the version of the loaded certificates at the time when the names were determined. */
  readonly #wanted = new Map<string, { readonly wanted: WantedCertificates; readonly loaded: number }>();
  readonly #asking = new Map<string, Promise<Certificate | null>>();
  readonly #unknown = new Map<string, number>();
  #users = 0;
  #subscriptions: Unsubscribe[] = [];

  constructor(bus: ThreadBus, log: Logger, management: Management | null, tally: Tally | null) {
    this.bus = bus;
    this.handshakes = new HandshakeCounter(tally);
    this.log = log;
    this.management = management;
    this.loaded = new LoadedCertificates(this.index, (hash) => this.contexts.drop(hash));
  }

  get httpChallenges(): ChallengeResponses {
    return this.challenges;
  }

  /** Called when a configuration starts using this object. The first call subscribes to the control thread. */
  async retain(): Promise<void> {
    if (this.#users++ > 0) return;
    const { bus } = this;
    this.management?.open();
    this.#subscriptions = [
      bus.onBroadcast(certificatesChanged, (changes) => this.#change(changes)),
      bus.onBroadcast(certificatesReloaded, ({ loader, certificates }) => {
        try {
          this.loaded.reload(loader, certificates);
          this.management?.stapling.useLoaded(this.loaded.all);
        } catch (error) {
          this.log.error('failed to reload TLS certificate', { error });
        }
      }),
      bus.onBroadcast(staplesChanged, (changes) => this.staples.apply(changes)),
      bus.onBroadcast(ticketKeysChanged, (keys) => this.#useTicketKeys(keys)),
      bus.onBroadcast(challengesShared, (shared) => {
        this.challenges.shared = shared;
      }),
      bus.onGather(challengeChanged, (change) => {
        this.challenges.apply(change);
        return null;
      }),
    ];
    if (bus.thread === 0) return;
    // Subscribe before requesting the current state. A concurrent change may arrive twice, but is never missed.
    this.staples.apply({ added: await bus.ask(allStaples, null), removed: [] });
    this.#change({ added: await bus.ask(allCertificates, null), removed: [] });
    for (const change of await bus.ask(allChallenges, null)) this.challenges.apply(change);
    this.challenges.shared = await bus.ask(areChallengesShared, null);
    this.#useTicketKeys(await bus.ask(currentTicketKeys, null));
  }

  /** Called when a configuration stops using this object. */
  async release(): Promise<void> {
    if (--this.#users > 0) return;
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#wanted.clear();
    await this.management?.close();
  }

  async termination(
    policies: JsonArray,
    { protocols }: TerminationSettings,
    context: Context,
    ...at: Segment[]
  ): Promise<TlsTermination> {
    context.provide(serverProtocolsToken, protocols.join(','));
    const { items } = await context.list(policies, this.#provision, ...at);
    // Import on demand, because Node's TLS module takes time to load and plain HTTP servers don't need it.
    const { Termination } = await import('./termination/termination.ts');
    return new Termination(this, items.toArray());
  }

  isLoaded(name: string): boolean {
    return this.loaded.covers(name);
  }

  willBeLoaded(name: string): boolean {
    return this.loaded.willCover(name);
  }

  async preload(owner: string, wanted: WantedCertificates): Promise<void> {
    await this.management?.lifecycle.preload(this.#newNames(owner, wanted));
  }

  want(owner: string, wanted: WantedCertificates): void {
    if (this.management === null) return;
    const known = this.#known(owner, wanted);
    const fresh = this.#newNames(owner, wanted);
    this.#wanted.set(owner, { wanted, loaded: this.loaded.version });
    if (known === null) this.management.lifecycle.want(owner, fresh);
    else if (known.names !== wanted.names) this.management.lifecycle.change(owner, fresh, wanted.names.removed);
  }

  unwant(owner: string, wanted: WantedCertificates): void {
    if (this.#wanted.get(owner)?.wanted !== wanted) return;
    this.#wanted.delete(owner);
    this.management?.lifecycle.want(owner, []);
  }

  /**
   * Returns the certificate for a handshake under a policy, or `null` if this thread has none. A managed certificate that is expired or not
   * yet valid counts as missing, so the control thread renews it. This occurs after a clock jump, or if the certificate was not needed for
   * a long time.
   */
  find(hello: ClientHello, { selection, defaultSni }: ConnectionPolicy): Certificate | null {
    if (hello.serverName !== '') {
      const found = this.#best(hello.serverName, hello, selection);
      const now = Date.now();
      const isValid = found === null || (found.notAfter > now && !isTooEarly(found, now));
      return !isValid && this.#managed.has(found.hash) ? null : found;
    }
    const byAddress = this.#best(hello.localAddress, hello, selection);
    return byAddress === null && defaultSni !== '' ? this.#best(defaultSni, hello, selection) : byAddress;
  }

  /** Returns the certificate for the policy's `fallback_sni`, or `null` if there is none. */
  findFallback(hello: ClientHello, { selection, fallbackSni }: ConnectionPolicy): Certificate | null {
    return fallbackSni === '' ? null : this.#best(fallbackSni, hello, selection);
  }

  /** Requests a certificate from the control thread, which may obtain one for this request. Never rejects. */
  ask(hello: ClientHello): Promise<Certificate | null> {
    const name = hello.serverName === '' ? hello.localAddress : hello.serverName;
    const asking = this.#asking.get(name);
    if (asking !== undefined) return asking;
    const now = performance.now();
    if ((this.#unknown.get(name) ?? 0) > now || this.#asking.size >= maxAsking) return Promise.resolve(null);
    const asked = this.#ask(name, hello);
    this.#asking.set(name, asked);
    return asked;
  }

  async #ask(name: string, hello: ClientHello): Promise<Certificate | null> {
    let response: Certificate | null = null;
    try {
      response = await this.bus.ask(certificateFor, hello);
    } catch (error) {
      this.log.debug('failed to get certificate from control thread', { server_name: name, error });
    }
    this.#asking.delete(name);
    if (response === null) {
      if (this.#unknown.size >= maxUnknown) this.#unknown.clear();
      this.#unknown.set(name, performance.now() + unknownFor);
    }
    return response;
  }

  #best(name: string, hello: ClientHello, selection: ConnectionPolicy['selection']): Certificate | null {
    const now = Date.now();
    for (const candidates of this.index.candidates(name)) {
      const found = best(candidates, hello, selection, now);
      if (found !== null) return found;
    }
    return null;
  }

  /**
   * Returns the owner's previous result if the loaded certificates have not changed, and if `names` is the owner's previous set or derives
   * from it. Otherwise, returns null.
   */
  #known(owner: string, { names, ignoreLoaded }: WantedCertificates): WantedCertificates | null {
    const before = this.#wanted.get(owner);
    if (before === undefined || before.loaded !== this.loaded.version) return null;
    const { wanted } = before;
    if (wanted.ignoreLoaded !== ignoreLoaded) return null;
    return wanted.names === names || names.isMadeOf(wanted.names) ? wanted : null;
  }

  #newNames(owner: string, wanted: WantedCertificates): string[] {
    const known = this.#known(owner, wanted);
    if (known === null) return this.#without(wanted, wanted.names);
    return known.names === wanted.names ? [] : this.#without(wanted, wanted.names.added);
  }

  /** Removes names that a loaded certificate covers, unless the owner ignores loaded certificates. */
  #without({ ignoreLoaded }: WantedCertificates, names: Iterable<string>): string[] {
    return ignoreLoaded ? [...names] : [...names].filter((name) => !this.loaded.covers(name));
  }

  #change({ added, removed }: CertificateChanges): void {
    for (const certificate of added) {
      if (this.#managed.has(certificate.hash)) continue;
      this.#managed.set(certificate.hash, certificate);
      this.index.add(certificate);
      this.#learn(certificate.names);
    }
    for (const hash of removed) if (this.#managed.delete(hash) && this.index.remove(hash)) this.contexts.drop(hash);
  }

  /** Clears the "no certificate" cache for names that now have a certificate, either directly or through a wildcard. */
  #learn(names: readonly string[]): void {
    for (const name of names)
      if (!name.includes('*')) this.#unknown.delete(name);
      else for (const unknown of this.#unknown.keys()) if (matchesName(name, unknown)) this.#unknown.delete(unknown);
  }

  #useTicketKeys(keys: readonly Uint8Array[]): void {
    this.contexts.setTicketKeys(keys.map((key) => Buffer.from(key)));
  }

  /** Keep a single function object. A module list is provisioned again if its element function changes. */
  readonly #provision = async (node: JsonObject, context: Context): Promise<ConnectionPolicy> => {
    const policy = await provisionPolicy(node, context);
    context.onDispose(() => this.contexts.dropPolicy(policy));
    return policy;
  };
}
