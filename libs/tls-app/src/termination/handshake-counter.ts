import { completedHandshakes, failedHandshakes, handshakeBlock, resumedHandshakes } from '@sluice/contracts';
import type { Tally, TallyBlock } from '@sluice/threads';

/** Counts a thread's TLS handshakes. If there is no tally, does nothing. */
export class HandshakeCounter {
  readonly #tally: Tally | null;
  /** Counter block, acquired on the first handshake. */
  #block: TallyBlock | null = null;

  constructor(tally: Tally | null) {
    this.#tally = tally;
  }

  completed(resumed: boolean): void {
    const block = this.#acquire();
    block?.add(completedHandshakes, 1);
    if (resumed) block?.add(resumedHandshakes, 1);
  }

  /** Counts a handshake that failed or was rejected. */
  failed(): void {
    this.#acquire()?.add(failedHandshakes, 1);
  }

  #acquire(): TallyBlock | null {
    return (this.#block ??= this.#tally?.acquire(handshakeBlock) ?? null);
  }
}
