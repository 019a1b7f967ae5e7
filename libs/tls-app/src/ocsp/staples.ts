/** OCSP responses that a thread staples to handshakes. */

/** A response with status good, as plain data that is sent between threads. */
export interface Staple {
  /** Hash of the certificate. */
  readonly hash: string;
  readonly response: Uint8Array;
  /** Expiration, in milliseconds since 1970. */
  readonly until: number;
}

/** Added and removed responses. */
export interface StapleChanges {
  readonly added: readonly Staple[];
  readonly removed: readonly string[];
}

/** Finds the OCSP response for a certificate. Each thread has one instance. */
export class Staples {
  readonly #byHash = new Map<string, Staple>();

  /** Returns the response for a certificate, or `null` if there is no valid one. */
  get(hash: string): Uint8Array | null {
    const staple = this.#byHash.get(hash);
    return staple === undefined || staple.until <= Date.now() ? null : staple.response;
  }

  apply({ added, removed }: StapleChanges): void {
    for (const hash of removed) this.#byHash.delete(hash);
    for (const staple of added) this.#byHash.set(staple.hash, staple);
  }
}
