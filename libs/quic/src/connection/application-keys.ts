/** Keys for 1-RTT packets. Either side may update them (RFC 9001 §6). */
import type { Keys } from '../crypto/keys.ts';

export class ApplicationKeys {
  /** Keys for decrypting packets. On a server that accepted early data, `null` until the handshake is complete. */
  open: Keys | null;
  seal: Keys;
  /** Key phases (0 or 1) for decryption and encryption. They differ until the peer responds to a local key update. */
  openPhase = 0;
  sealPhase = 0;
  /** Previous keys, for packets that were sent before a key update but arrive after it. */
  #previous: Keys | null = null;
  #next: Keys | null = null;
  /** Number of the first packet that was decrypted with the current keys. */
  #firstOpened = 0;
  /** Lowest packet number whose acknowledgment completes the local key update in progress. */
  #firstSealed = 0;
  #confirmed = true;

  constructor(open: Keys | null, seal: Keys) {
    this.open = open;
    this.seal = seal;
  }

  /** Returns the keys for decrypting a packet with a key phase and number. Returns `null` if the keys were discarded. */
  keysFor(phase: number, number: number): Keys | null {
    if (phase === this.openPhase) return this.open;
    if (number < this.#firstOpened) return this.#previous;
    return (this.#next ??= this.open?.next() ?? null);
  }

  /** Called after a packet was decrypted. Returns true if the packet starts a key update that the peer initiated. */
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

  /** Called when the peer has acknowledged a packet. */
  acked(number: number): void {
    if (number >= this.#firstSealed) this.#confirmed = true;
  }

  /** True if a key update may begin. The previous update must have been acknowledged (RFC 9001 §6.1). */
  get canUpdate(): boolean {
    return this.#confirmed && this.sealPhase === this.openPhase;
  }

  /** Begins a key update. `next` is the number of the next packet. */
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
    this.open?.free(true);
    this.seal.free(true);
  }
}
