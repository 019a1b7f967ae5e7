/** Distributes challenge responses from the control thread to all threads. */
import type { ThreadBus, Unsubscribe } from '@sluice/threads';
import type { CertificatePair } from '../contracts/key-pair.ts';
import { allChallenges, challengeChanged, type ChallengeChange } from './messages.ts';
import type { ChallengeBoard, TakeDown } from '../contracts/challenge-board.ts';

export class ChallengeNotices implements ChallengeBoard {
  readonly #bus: ThreadBus;
  readonly #up = new Set<ChallengeChange>();

  constructor(bus: ThreadBus) {
    this.#bus = bus;
  }

  /** Starts responding to requests from starting threads. */
  open(): Unsubscribe[] {
    return [this.#bus.onAsk(allChallenges, () => [...this.#up])];
  }

  http(name: string, challenge: string, keyAuthorization: string): Promise<TakeDown> {
    const up = { kind: 'http', name, challenge, response: keyAuthorization } as const;
    return this.#put(up, { ...up, response: null });
  }

  tlsAlpn(name: string, certificate: CertificatePair): Promise<TakeDown> {
    const up = { kind: 'tls-alpn', name, certificate } as const;
    return this.#put(up, { ...up, certificate: null });
  }

  async #put(up: ChallengeChange, down: ChallengeChange): Promise<TakeDown> {
    this.#up.add(up);
    await this.#bus.gather(challengeChanged, up);
    return async () => {
      if (this.#up.delete(up)) await this.#bus.gather(challengeChanged, down);
    };
  }
}
