/**
 * Finds challenges added by other servers that share the storage. If several servers share one address, the CA may contact any of them.
 * Runs in the control thread, to which other threads send requests.
 */
import type { Logger } from '@sluice/base';
import type { ThreadBus, Unsubscribe } from '@sluice/threads';
import type { Issuer } from '../contracts/issuer.ts';
import {
  areChallengesShared,
  challengesShared,
  sharedChallenge,
  type ChallengeChange,
  type ChallengeQuery,
} from './messages.ts';

export type IssuersOf = (name: string) => readonly Issuer[];

/** Reads challenges from the storage locations that issuers use. */
export class StorageChallenges {
  readonly #bus: ThreadBus;
  readonly #log: Logger;
  #issuersOf: IssuersOf = () => [];
  #shared = false;

  constructor(bus: ThreadBus, log: Logger) {
    this.#bus = bus;
    this.#log = log;
  }

  /** Starts responding to requests from other threads. */
  open(): Unsubscribe[] {
    return [
      this.#bus.onAsk(areChallengesShared, () => this.#shared),
      this.#bus.onAsk(sharedChallenge, (sought) => this.#find(sought)),
    ];
  }

  /** Applies a configuration. */
  use(issuersOf: IssuersOf): void {
    this.#issuersOf = issuersOf;
  }

  /** True if certificates are managed. If false, no challenges are looked up in storage. */
  set shared(shared: boolean) {
    if (shared === this.#shared) return;
    this.#shared = shared;
    this.#bus.broadcast(challengesShared, shared);
  }

  async #find(sought: ChallengeQuery): Promise<ChallengeChange | null> {
    for (const { sharedChallenges } of this.#issuersOf(sought.name)) {
      if (sharedChallenges === undefined) continue;
      try {
        if (sought.kind === 'http') {
          const response = await sharedChallenges.http(sought.name, sought.challenge);
          if (response !== null) return { ...sought, response };
        } else {
          const certificate = await sharedChallenges.tlsAlpn(sought.name);
          if (certificate !== null) return { ...sought, certificate };
        }
      } catch (error) {
        this.#log.warn('failed to read ACME challenge of another server', { identifier: sought.name, error });
      }
    }
    return null;
  }
}
