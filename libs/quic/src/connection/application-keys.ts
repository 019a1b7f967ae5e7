/** Keys of 1-RTT packets, which either side may update (RFC 9001 §6). */
import type { Keys } from '../crypto/keys.ts';

export class ApplicationKeys {
  /** `null` on a server that accepted early data, until the handshake is complete. */
  open: Keys | null;
  seal: Keys;
  /** Key phases (0 or 1) for opening and sealing. The phases differ until the peer responds to a local update. */
  openPhase = 0;
  sealPhase = 0;
  /** Previous keys, for packets sent before an update that arrive after it. */
  #previous: Keys | null = null;
  #next: Keys | null = null;
  /** First packet number opened with the current keys. */
  #firstOpened = 0;
  /** A local update is in progress until a packet with this number or greater is acknowledged. */
  #firstSealed = 0;
  #confirmed = true;

  constructor(open: Keys | null, seal: Keys) {
    this.open = open;
    this.seal = seal;
  }

  /** Returns the keys for opening a packet with this phase and number, or `null` if the keys were discarded. */
  keysFor(phase: number, number: number): Keys | null {
    if (phase === this.openPhase) return this.open;
    if (number < this.#firstOpened) return this.#previous;
    return (this.#next ??= this.open?.next() ?? null);
  }

  /** Called when a packet was opened. Returns true if the packet begins a key update by the peer. */
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

  /** Called when a sent packet was acknowledged. */
  acked(number: number): void {
    if (number >= this.#firstSealed) this.#confirmed = true;
  }

  /** Reports whether an update may begin. The previous update must be acknowledged (RFC 9001 §6.1). */
  get canUpdate(): boolean {
    return this.#confirmed && this.sealPhase === this.openPhase;
  }

  /** Begins a key update. `next`: number of the next packet. */
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
