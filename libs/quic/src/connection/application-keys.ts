/** The keys of 1-RTT packets, which both sides may update (RFC 9001 §6). */
import type { Keys } from '../crypto/keys.ts';

export class ApplicationKeys {
  open: Keys;
  seal: Keys;
  /** The key phase of what we open, and of what we seal: 0 or 1. They differ until the peer responds to our own update. */
  openPhase = 0;
  sealPhase = 0;
  /** For packets that arrive after an update and were sent before it. */
  #previous: Keys | null = null;
  #next: Keys | null = null;
  /** The first packet that came with the keys that are in force. */
  #firstOpened = 0;
  /** Our update is under way until a packet sealed with its keys is acknowledged: from this packet number on. */
  #firstSealed = 0;
  #confirmed = true;

  constructor(open: Keys, seal: Keys) {
    this.open = open;
    this.seal = seal;
  }

  /** The keys that a packet with this phase and number is to be opened with; `null` if they are gone. */
  keysFor(phase: number, number: number): Keys | null {
    if (phase === this.openPhase) return this.open;
    if (number < this.#firstOpened) return this.#previous;
    return (this.#next ??= this.open.next());
  }

  /** A packet was opened. Returns true if it began an update by the peer. */
  opened(keys: Keys, number: number): boolean {
    if (keys !== this.#next) return false;
    this.#previous?.free(false);
    this.#previous = this.open;
    this.open = keys;
    this.#next = null;
    this.openPhase ^= 1;
    this.#firstOpened = number;
    if (this.sealPhase === this.openPhase) return false;
    this.#updateSeal();
    return true;
  }

  /** A packet of ours was acknowledged. */
  acked(number: number): void {
    if (number >= this.#firstSealed) this.#confirmed = true;
  }

  /** Whether an update may begin: the one before was acknowledged (RFC 9001 §6.1). */
  get canUpdate(): boolean {
    return this.#confirmed && this.sealPhase === this.openPhase;
  }

  /** Begins an update. `next`: the number of the next packet. */
  update(next: number): void {
    this.#firstSealed = next;
    this.#confirmed = false;
    this.#updateSeal();
  }

  #updateSeal(): void {
    const before = this.seal;
    this.seal = before.next();
    before.free(false);
    this.sealPhase ^= 1;
  }

  free(): void {
    this.#previous?.free(false);
    this.#next?.free(false);
    this.open.free(true);
    this.seal.free(true);
  }
}
