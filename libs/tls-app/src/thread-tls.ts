/** What a thread has of TLS: certificates, contexts, challenges. It stays when the configuration changes. */
import type { Context, Segment } from '@sluice/registry';
import type { JsonArray, JsonObject, Logger } from '@sluice/base';
import type { TerminationSettings, TlsApp, TlsTermination, WantedCertificates, ClientHello } from '@sluice/contracts';
import type { Tally, ThreadBus, Unsubscribe } from '@sluice/threads';
import type { Management } from './automation/management.ts';
import type { Certificate } from './certificates/certificate.ts';
import { StorageCleaning } from './automation/cleaning.ts';
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

/** Contexts that are kept; certificates without one get it at their next handshake. */
const contextCapacity = 2048;
/** How long it is remembered that there is no certificate for a name, in milliseconds, and for how many names. */
const unknownFor = 1000;
const maxUnknown = 10_000;
/** Handshakes that may wait for the control thread at a time. */
const maxAsking = 1000;

/** TLS of one thread; the interface of the app. */
export class ThreadTls implements TlsApp, HandshakeTls {
  readonly index = new CertificateIndex();
  readonly contexts = new ContextCache(contextCapacity);
  readonly challenges = new ChallengeResponses((sought) => this.bus.ask(sharedChallenge, sought));
  readonly staples = new Staples();
  readonly loaded: LoadedCertificates;
  readonly log: Logger;
  /** What obtains and renews certificates; in the control thread only. */
  readonly management: Management | null;
  /** Of the storage; begun in the control thread only. */
  readonly cleaning: StorageCleaning;
  readonly bus: ThreadBus;
  readonly handshakes: HandshakeCounter;
  readonly #managed = new Map<string, Certificate>();
  /** What owners want, and which certificates were loaded then. */
  readonly #wanted = new Map<string, { readonly wanted: WantedCertificates; readonly loaded: number }>();
  readonly #asking = new Map<string, Promise<Certificate | null>>();
  /** Name -> when to ask again. */
  readonly #unknown = new Map<string, number>();
  #users = 0;
  #subscriptions: Unsubscribe[] = [];

  constructor(bus: ThreadBus, log: Logger, management: Management | null, tally: Tally | null) {
    this.bus = bus;
    this.handshakes = new HandshakeCounter(tally);
    this.log = log;
    this.management = management;
    this.cleaning = new StorageCleaning(log);
    this.loaded = new LoadedCertificates(this.index, (hash) => this.contexts.drop(hash));
  }

  get httpChallenges(): ChallengeResponses {
    return this.challenges;
  }

  /** A configuration begins to use it; the first one has it receive what the control thread says. */
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
          this.log.error('failed to use changed certificate', { error });
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
    // Subscribed first: what changes meanwhile comes twice rather than never.
    this.staples.apply({ added: await bus.ask(allStaples, null), removed: [] });
    this.#change({ added: await bus.ask(allCertificates, null), removed: [] });
    for (const change of await bus.ask(allChallenges, null)) this.challenges.apply(change);
    this.challenges.shared = await bus.ask(areChallengesShared, null);
    this.#useTicketKeys(await bus.ask(currentTicketKeys, null));
  }

  /** A configuration is done with it. */
  async release(): Promise<void> {
    if (--this.#users > 0) return;
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#wanted.clear();
    this.cleaning.stop();
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
    // Node's TLS is loaded with it, which servers of plain HTTP do without.
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
    await this.management?.preload(this.#newNames(owner, wanted));
  }

  want(owner: string, wanted: WantedCertificates): void {
    if (this.management === null) return;
    const known = this.#known(owner, wanted);
    const fresh = this.#newNames(owner, wanted);
    this.#wanted.set(owner, { wanted, loaded: this.loaded.version });
    if (known === null) this.management.want(owner, fresh);
    else if (known.names !== wanted.names) this.management.change(owner, fresh, wanted.names.removed);
  }

  unwant(owner: string, wanted: WantedCertificates): void {
    if (this.#wanted.get(owner)?.wanted !== wanted) return;
    this.#wanted.delete(owner);
    this.management?.want(owner, []);
  }

  /**
   * The certificate for a handshake under a policy, or `null` if this thread knows none. A managed one that has expired, or is not valid yet, is
   * not known: the control thread is asked, which renews it, as the clock may have jumped or no one may have wanted it.
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

  /** The certificate of the policy's `fallback_sni`, or `null`. */
  findFallback(hello: ClientHello, { selection, fallbackSni }: ConnectionPolicy): Certificate | null {
    return fallbackSni === '' ? null : this.#best(fallbackSni, hello, selection);
  }

  /** Asks the control thread for a certificate; it may obtain one. Never rejects. */
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
      this.log.debug('control thread has no certificate', { server_name: name, error });
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

  /** What an owner wants already, if the names are those or made of those, and the same certificates are loaded. */
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

  /** Names without those that a loaded certificate is for, unless that does not count. */
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

  /** Names that were asked for in vain are known now: by themselves, or by a wildcard. */
  #learn(names: readonly string[]): void {
    for (const name of names)
      if (!name.includes('*')) this.#unknown.delete(name);
      else for (const unknown of this.#unknown.keys()) if (matchesName(name, unknown)) this.#unknown.delete(unknown);
  }

  #useTicketKeys(keys: readonly Uint8Array[]): void {
    this.contexts.setTicketKeys(keys.map((key) => Buffer.from(key)));
  }

  /** One function for the life of the thread: a list whose elements are made by another one is made again. */
  readonly #provision = async (node: JsonObject, context: Context): Promise<ConnectionPolicy> => {
    const policy = await provisionPolicy(node, context);
    context.onDispose(() => this.contexts.dropPolicy(policy));
    return policy;
  };
}
