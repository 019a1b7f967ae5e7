/** OCSP responses that a thread staples in handshakes. */

/** An OCSP response with the status "good", as plain data that threads exchange. */
export interface Staple {
  /** Hash that identifies the certificate. */
  readonly hash: string;
  readonly response: Uint8Array;
  /** Expiration time, in milliseconds since the Unix epoch. */
  readonly until: number;
}

/** OCSP responses that were added and removed. */
export interface StapleChanges {
  readonly added: readonly Staple[];
  readonly removed: readonly string[];
}

/** Finds the OCSP response for a certificate in one thread. */
export class Staples {
  readonly #byHash = new Map<string, Staple>();

  /** Returns the OCSP response for a certificate, or `null` if there is no valid one. */
  get(hash: string): Uint8Array | null {
    const staple = this.#byHash.get(hash);
    return staple === undefined || staple.until <= Date.now() ? null : staple.response;
  }

  apply({ added, removed }: StapleChanges): void {
    for (const hash of removed) this.#byHash.delete(hash);
    for (const staple of added) this.#byHash.set(staple.hash, staple);
  }
}
